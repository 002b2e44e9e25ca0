package io.penstock.boot.autoconfigure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.boot.PenstockWebServer;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Tests a reactive application, which uses Penstock through Spring's adapter for servlets. */
class ReactiveApplicationTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final HttpClient client = HttpClient.newHttpClient();

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Sample {
        final Sinks.Many<String> events = Sinks.many().replay().all();

        @GetMapping("/numbers")
        Flux<Integer> numbers() {
            return Flux.range(1, 1000);
        }

        @PostMapping("/length")
        Mono<Integer> length(@RequestBody Mono<String> text) {
            return text.map(String::length);
        }

        @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> events() {
            return events.asFlux();
        }
    }

    private static ConfigurableApplicationContext run(String... properties) {
        SpringApplication application = new SpringApplication(Sample.class);
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0", "--spring.main.web-application-type=reactive", "--spring.main.banner-mode=off"));
        arguments.addAll(List.of(properties));
        return application.run(arguments.toArray(String[]::new));
    }

    private static HttpRequest.Builder request(ConfigurableApplicationContext context, String path) {
        PenstockWebServer server = (PenstockWebServer) ((WebServerApplicationContext) context).getWebServer();
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getPort() + path))
                .timeout(PATIENCE);
    }

    @Test
    void bodiesAreTransferredAndEventsAreSentImmediately() throws Exception {
        try (ConfigurableApplicationContext context = run()) {
            HttpResponse<String> numbers =
                    client.send(request(context, "/numbers").build(), HttpResponse.BodyHandlers.ofString());
            assertEquals(
                    IntStream.rangeClosed(1, 1000)
                            .mapToObj(Integer::toString)
                            .collect(Collectors.joining(",", "[", "]")),
                    numbers.body());
            HttpRequest post = request(context, "/length")
                    .header("Content-Type", "text/plain")
                    .POST(HttpRequest.BodyPublishers.ofString("x".repeat(100_000)))
                    .build();
            assertEquals(
                    "100000",
                    client.send(post, HttpResponse.BodyHandlers.ofString()).body());
            Sample sample = context.getBean(Sample.class);
            // The server sends the response head together with the first event. The client waits for the head, so the
            // test emits the first event before the request.
            sample.events.tryEmitNext("zero").orThrow();
            HttpResponse<InputStream> events =
                    client.send(request(context, "/events").build(), HttpResponse.BodyHandlers.ofInputStream());
            assertEquals("data:zero\n\n", read(events.body(), 11));
            for (String event : new String[] {"one", "two"}) {
                sample.events.tryEmitNext(event).orThrow();
                assertEquals("data:" + event + "\n\n", read(events.body(), event.length() + 7));
            }
            sample.events.tryEmitComplete().orThrow();
            assertEquals(-1, events.body().read());
            assertTrue(client.send(request(context, "/nothing").build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode()
                    == 404);
        }
    }

    @Test
    void managementEndpointsAreOnASeparatePort() throws Exception {
        try (ConfigurableApplicationContext context = run("--management.server.port=0")) {
            int management = context.getEnvironment().getRequiredProperty("local.management.port", Integer.class);
            HttpRequest health = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + management + "/actuator/health"))
                    .timeout(PATIENCE)
                    .build();
            assertEquals(
                    200,
                    client.send(health, HttpResponse.BodyHandlers.ofString()).statusCode());
            assertEquals(
                    404,
                    client.send(request(context, "/actuator/health").build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode());
        }
    }

    private static String read(InputStream in, int bytes) throws Exception {
        return new String(in.readNBytes(bytes), StandardCharsets.US_ASCII);
    }
}
