package io.penstock.boot.autoconfigure;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.penstock.boot.PenstockWebServer;
import jakarta.servlet.Filter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Tests the trace ids (W3C Trace Context) of an application with Micrometer Tracing: in its log, and in the access log. */
class TraceTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String ID = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT = "00-" + ID + "-00f067aa0ba902b7-01";
    private static final String FORMAT = "json cs(traceparent) x-attribute(traceId)";
    private static final Path GUIDE = Path.of("..", "..", "docs", "guide", "other-runtimes.md");
    private static final Path THIS =
            Path.of("src", "test", "java", TraceTest.class.getName().replace('.', '/') + ".java");

    private final Logger logger = (Logger) LoggerFactory.getLogger(Sample.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @TempDir
    Path folder;

    @AfterEach
    void stopRecording() {
        logger.detachAppender(log);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Sample {
        @GetMapping("/order")
        String order() {
            LoggerFactory.getLogger(Sample.class).info("ordered");
            return "done";
        }

        @Bean
        Filter traceId() {
            return (request, response, chain) -> {
                request.setAttribute("traceId", MDC.get("traceId"));
                chain.doFilter(request, response);
            };
        }
    }

    @Test
    void theLogOfTheApplicationAndTheAccessLogHaveTheTraceOfTheClient() throws Exception {
        String line = lineAfterRequest("traceparent", PARENT);
        assertEquals("ordered", log.list.get(0).getFormattedMessage());
        assertEquals(ID, log.list.get(0).getMDCPropertyMap().get("traceId"));
        assertTrue(line.contains(PARENT), line);
        assertTrue(line.replace(PARENT, "").contains(ID), line);
    }

    @Test
    void aRequestWithoutTraceGetsANewOneWhichBothLogsHave() throws Exception {
        String line = lineAfterRequest("Accept", "*/*");
        String id = log.list.get(0).getMDCPropertyMap().get("traceId");
        assertNotNull(id);
        assertTrue(line.contains(id), line);
    }

    @Test
    void theGuideHasTheFormatAndTheFilterOfThisTest() throws IOException {
        String guide = Files.readString(GUIDE);
        assertTrue(guide.contains("server.penstock.access-log-format=" + FORMAT + "\n"));
        Matcher filter = Pattern.compile("```java\n(@Bean\nFilter traceId.*?)```", Pattern.DOTALL)
                .matcher(guide);
        assertTrue(filter.find());
        assertTrue(Files.readString(THIS).contains(filter.group(1).indent(8)));
    }

    /** Returns the line of the access log for a request with the field. */
    private String lineAfterRequest(String name, String value) throws Exception {
        Path accessLog = folder.resolve("access.log");
        SpringApplication application = new SpringApplication(Sample.class);
        try (ConfigurableApplicationContext context = application.run(
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--server.penstock.access-log=" + accessLog,
                "--server.penstock.access-log-format=" + FORMAT)) {
            // Not earlier: the start of an application removes all appenders.
            log.start();
            logger.addAppender(log);
            PenstockWebServer server = (PenstockWebServer) ((WebServerApplicationContext) context).getWebServer();
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getPort() + "/order"))
                    .timeout(PATIENCE)
                    .header(name, value)
                    .build();
            assertEquals(
                    "done",
                    HttpClient.newHttpClient()
                            .send(request, HttpResponse.BodyHandlers.ofString())
                            .body());
        }
        List<String> lines = await().atMost(PATIENCE).until(() -> Files.readAllLines(accessLog), all -> !all.isEmpty());
        return lines.get(0);
    }
}
