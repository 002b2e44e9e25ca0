package io.penstock.boot.autoconfigure;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.boot.PenstockWebServer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Tests the stop before a checkpoint (CRaC) and the start after it, as Spring does both. There is no checkpoint: this needs a special JDK,
 * which refuses processes with open sockets and files.
 */
@EnabledOnOs(OS.LINUX)
class CheckpointTest {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @RestController
    static class Sample {
        @GetMapping("/hello")
        String hello() {
            return "hello";
        }
    }

    @Test
    void aStoppedApplicationHasNoSocketButTwoLockFilesAndServesAgainAfterTheNextStart() throws Exception {
        Set<String> before = opened();
        try (ConfigurableApplicationContext context =
                        new SpringApplication(Sample.class).run("--server.port=0", "--spring.main.banner-mode=off");
                Socket idle = new Socket("127.0.0.1", server(context).getPort())) {
            int port = server(context).getPort();
            assertTrue(get(idle).endsWith("hello"));
            context.stop();
            assertEquals(-1, idle.getInputStream().read());
            idle.close();
            // A thread of the server closes the connections.
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertEquals(Set.of("context lock", "spool lock"), openedSince(before)));
            assertThrows(ConnectException.class, () -> new Socket("127.0.0.1", port).close());

            context.start();
            try (Socket client = new Socket("127.0.0.1", server(context).getPort())) {
                assertTrue(get(client).endsWith("hello"));
            }
        }
    }

    private static PenstockWebServer server(ConfigurableApplicationContext context) {
        return (PenstockWebServer) ((WebServerApplicationContext) context).getWebServer();
    }

    /** Sends a request. Returns the response, whose body has five bytes. */
    private static String get(Socket client) throws IOException {
        client.setSoTimeout((int) PATIENCE.toMillis());
        client.getOutputStream()
                .write("GET /hello HTTP/1.1\r\nHost: good.example\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        StringBuilder response = new StringBuilder();
        while (!response.toString().contains("\r\n\r\n") || !response.toString().endsWith("hello")) {
            int next = client.getInputStream().read();
            assertTrue(next >= 0, response.toString());
            response.append((char) next);
        }
        return response.toString();
    }

    /** The sockets and the files of the server that have been opened since then. */
    private static Set<String> openedSince(Set<String> before) throws IOException {
        Set<String> since = new TreeSet<>();
        for (String target : opened()) {
            if (!before.contains(target)) {
                since.add(target.replaceFirst(".*/penstock-([a-z]+)-[-0-9a-f]+\\.([a-z]+)", "$1 $2"));
            }
        }
        return since;
    }

    /** The sockets of this process, and the open files of servers. */
    private static Set<String> opened() throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> all = Files.list(DESCRIPTORS)) {
            for (Path each : all.toList()) {
                String target = target(each);
                if (target.startsWith("socket:") || target.contains("/penstock-") && !target.endsWith(".jar")) {
                    found.add(target);
                }
            }
        }
        return found;
    }

    /** The file of a descriptor. A descriptor that has been closed meanwhile has none. */
    private static String target(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException e) {
            return "";
        }
    }
}
