package io.penstock.boot.autoconfigure;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.boot.PenstockBuilderCustomizer;
import io.penstock.boot.PenstockWebServer;
import io.penstock.certificates.Issued;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

/** Tests a typical application of Spring Boot. */
class SampleApplicationTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    Path folder;

    /** An order, as JSON. */
    record Order(String article, int pieces) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Sample {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch leave = new CountDownLatch(1);

        @GetMapping("/orders/{article}")
        Order order(@PathVariable("article") String article) {
            return new Order(article, 7);
        }

        @PostMapping("/orders")
        Order echo(@RequestBody Order order) {
            return new Order(order.article(), order.pieces() + 1);
        }

        @PostMapping("/upload")
        String upload(@RequestParam("file") MultipartFile file) {
            return file.getOriginalFilename() + " " + file.getSize();
        }

        @GetMapping("/later")
        Callable<String> later() {
            return () -> "later";
        }

        @GetMapping("/fails")
        String fails() {
            throw new IllegalStateException("planned");
        }

        @GetMapping("/slow")
        String slow() throws InterruptedException {
            entered.countDown();
            leave.await();
            return "slow";
        }

        @GetMapping("/thread")
        String thread() {
            return Thread.currentThread().toString();
        }

        @Bean
        @ConditionalOnProperty(name = "few-workers", matchIfMissing = true)
        PenstockBuilderCustomizer fewWorkers() {
            return builder -> builder.workers(3);
        }
    }

    private static ConfigurableApplicationContext run(String... properties) {
        SpringApplication application = new SpringApplication(Sample.class);
        List<String> arguments = new ArrayList<>(List.of("--spring.main.banner-mode=off"));
        if (Stream.of(properties).noneMatch(property -> property.startsWith("server.port="))) {
            arguments.add("--server.port=0");
        }
        for (String property : properties) {
            arguments.add("--" + property);
        }
        return application.run(arguments.toArray(String[]::new));
    }

    private static PenstockWebServer server(ConfigurableApplicationContext context) {
        return (PenstockWebServer) ((WebServerApplicationContext) context).getWebServer();
    }

    private HttpResponse<String> get(int port, String path, String... fields) throws Exception {
        HttpRequest.Builder request = request(port, path);
        if (fields.length > 0) {
            request.headers(fields);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(int port, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(PATIENCE);
    }

    @Test
    void theServerSupportsJsonAndUploadsAndAsyncResponsesAndFilesAndErrorPages() throws Exception {
        try (ConfigurableApplicationContext context = run("server.penstock.max-sessions=5")) {
            int port = server(context).getPort();
            assertEquals(
                    "{\"article\":\"pipe\",\"pieces\":7}",
                    get(port, "/orders/pipe").body());
            HttpRequest post = request(port, "/orders")
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"article\":\"valve\",\"pieces\":1}"))
                    .build();
            assertEquals(
                    "{\"article\":\"valve\",\"pieces\":2}",
                    client.send(post, HttpResponse.BodyHandlers.ofString()).body());
            HttpRequest upload = request(port, "/upload")
                    .header("Content-Type", "multipart/form-data; boundary=x")
                    .POST(HttpRequest.BodyPublishers.ofString("--x\r\nContent-Disposition: form-data; name=\"file\";"
                            + " filename=\"a.txt\"\r\n\r\nabc\r\n--x--\r\n"))
                    .build();
            assertEquals(
                    "a.txt 3",
                    client.send(upload, HttpResponse.BodyHandlers.ofString()).body());
            assertEquals("later", get(port, "/later").body());
            assertEquals("of the class path\n", get(port, "/site.txt").body());
            HttpResponse<String> missing = get(port, "/nothing", "Accept", "application/json");
            assertEquals(404, missing.statusCode());
            assertTrue(missing.body().contains("\"path\":\"/nothing\""), missing.body());
            HttpResponse<String> failed = get(port, "/fails", "Accept", "text/html");
            assertEquals(500, failed.statusCode());
            assertTrue(failed.body().contains("Whitelabel Error Page"), failed.body());
            assertEquals(3, server(context).getPenstock().gauges().get("workers"));
        }
    }

    @Test
    void aPemCertificateIsUsedForHttpsAndReloadedAfterAChange() throws Exception {
        Issued first = Issued.self(Issued.EC, "localhost");
        Issued second = Issued.self(Issued.RSA, "renewed");
        Path certificate = Files.writeString(folder.resolve("cert.pem"), first.pem());
        Path key = Files.writeString(folder.resolve("key.pem"), first.keyPem());
        try (ConfigurableApplicationContext context = run(
                "spring.ssl.bundle.pem.web.keystore.certificate=file:" + certificate,
                "spring.ssl.bundle.pem.web.keystore.private-key=file:" + key,
                "spring.ssl.bundle.pem.web.reload-on-update=true",
                "spring.ssl.bundle.watch.file.quiet-period=1ms",
                "server.ssl.bundle=web")) {
            int port = server(context).getPort();
            assertEquals("CN=localhost", Subjects.of(port));
            Files.writeString(key, second.keyPem());
            Files.writeString(certificate, second.pem());
            // Boot can have loaded the new key with the old certificate, between the two changes.
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(SSLHandshakeException.class)
                    .until(() -> Subjects.of(port), "CN=renewed"::equals);
        }
    }

    @Test
    void aGracefulShutdownIsTheDefault() throws Exception {
        ConfigurableApplicationContext context = run();
        Sample sample = context.getBean(Sample.class);
        int port = server(context).getPort();
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(request(port, "/slow").build(), HttpResponse.BodyHandlers.ofString());
        assertTrue(sample.entered.await(1, TimeUnit.MINUTES));
        Thread closing = new Thread(context::close, "closing");
        closing.start();
        await().atMost(PATIENCE).until(() -> !server(context).getPenstock().isReady());
        assertTrue(closing.isAlive());
        sample.leave.countDown();
        assertEquals("slow", answer.get(1, TimeUnit.MINUTES).body());
        closing.join(PATIENCE.toMillis());
        assertFalse(closing.isAlive());
        assertEquals(-1, server(context).getPort());
    }

    @Test
    void metricsAndManagementEndpointsAreOnASeparatePort() throws Exception {
        try (ConfigurableApplicationContext context = run(
                "management.server.port=0",
                "management.endpoints.web.exposure.include=health,metrics",
                "server.servlet.session.persistent=true",
                "server.servlet.session.store-dir=" + folder.resolve("sessions"),
                "server.penstock.access-log=" + folder.resolve("access.log"))) {
            int port = server(context).getPort();
            int management = context.getEnvironment().getRequiredProperty("local.management.port", Integer.class);
            assertNotEquals(port, management);
            assertEquals(404, get(port, "/actuator/health").statusCode());
            assertEquals(200, get(management, "/actuator/health").statusCode());
            assertEquals(404, get(management, "/orders/pipe").statusCode());
            HttpResponse<String> workers = get(management, "/actuator/metrics/penstock.workers");
            assertEquals(200, workers.statusCode(), workers.body());
            assertTrue(workers.body().contains("\"value\":3.0"), workers.body());
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            assertTrue(registry.find("penstock.connections").gauge().value() >= 0);
        }
        assertTrue(Files.readString(folder.resolve("access.log"), StandardCharsets.UTF_8)
                .contains("/actuator/health"));
    }

    /** A browser sends the same cookies to both ports, so both ports must accept the same size of headers. */
    @Test
    void largeRequestHeadersAreAcceptedOnTheApplicationPortAndTheManagementPort() throws Exception {
        try (ConfigurableApplicationContext context =
                run("management.server.port=0", "server.max-http-request-header-size=32KB")) {
            String cookie = "large=" + "x".repeat(20_000);
            int management = context.getEnvironment().getRequiredProperty("local.management.port", Integer.class);
            assertEquals(
                    200,
                    get(server(context).getPort(), "/later", "Cookie", cookie).statusCode());
            assertEquals(
                    200, get(management, "/actuator/health", "Cookie", cookie).statusCode());
        }
    }

    /** In all Java versions with virtual threads, {@code toString()} of a virtual thread begins with {@code VirtualThread}. */
    @Test
    void virtualThreadsAreUsedIfJavaSupportsVirtualThreads() throws Exception {
        try (ConfigurableApplicationContext context = run("spring.threads.virtual.enabled=true", "few-workers=false")) {
            String thread = get(server(context).getPort(), "/thread").body();
            boolean virtual = Runtime.version().feature() >= 21;
            assertEquals(virtual, thread.startsWith("VirtualThread"), thread);
            long workers = server(context).getPenstock().gauges().get("workers");
            assertEquals(
                    virtual ? 10_000 : Math.max(240, 8 * Runtime.getRuntime().availableProcessors()), workers);
        }
    }

    @Test
    void noThreadOfTheServerRemainsAfterTheApplicationEnds() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        for (int i = 0; i < 3; i++) {
            try (ConfigurableApplicationContext context = run()) {
                assertEquals("later", get(server(context).getPort(), "/later").body());
            }
        }
        await().atMost(PATIENCE).untilAsserted(() -> assertEquals(List.of(), newThreadsOfTheServer(before)));
    }

    private static List<String> newThreadsOfTheServer(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .filter(name -> name.matches("(.*-)?(worker|reactor|spool|tls|scheduler|keeper|penstock)(-.*)?"))
                .toList();
    }

    @Test
    void aPortInUseIsReportedAsAPortInUseException() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"))) {
            Exception e = assertThrows(Exception.class, () -> run("server.port=" + other.getLocalPort()));
            PortInUseException[] found = new PortInUseException[1];
            PortInUseException.ifCausedBy(e, PortInUseException.class, cause -> found[0] = cause);
            assertEquals(other.getLocalPort(), found[0].getPort());
        }
    }
}
