package io.penstock.frameworks;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.Penstock;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/**
 * Tests an application with Spring MVC. The servlet of Spring declares asynchronous support, but reads request bodies in blocking mode.
 * Slow clients must not block the workers of the server.
 */
final class SpringMvcSlowClientsTest {
    private static final int SIZE = 300_000;
    private static final int SLOW_CLIENTS = 12;

    /** Has a method for each of the two usual ways to read a request body, and a method for requests without a body. */
    @RestController
    @EnableWebMvc
    public static class Uploads {

        @PostMapping("/stream")
        public String stream(InputStream body) throws IOException {
            return "read " + body.readAllBytes().length;
        }

        @PostMapping("/bytes")
        public String bytes(@RequestBody byte[] body) {
            return "read " + body.length;
        }

        @GetMapping("/hello")
        public String hello() {
            return "hello";
        }
    }

    private static Penstock server() throws Exception {
        AnnotationConfigWebApplicationContext beans = new AnnotationConfigWebApplicationContext();
        beans.register(Uploads.class);
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("pipe-capacity", "64K") // small, so the server writes the body to disk
                .context("/", context -> context.servlet("mvc", new DispatcherServlet(beans), "/"))
                .start();
    }

    private static Socket upload(Penstock server, String path, byte[] firstPart) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(60_000);
        String head =
                "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: "
                        + SIZE + "\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(firstPart);
        return socket;
    }

    @Test
    void stalledUploadsDoNotBlockAnotherRequestAndCompleteLater() throws Exception {
        byte[] body = new byte[SIZE];
        Arrays.fill(body, (byte) 'a');
        byte[] most = Arrays.copyOf(body, SIZE - 1);
        try (Penstock server = server()) {
            List<Socket> slow = new ArrayList<>();
            for (int i = 0; i < SLOW_CLIENTS; i++) {
                slow.add(upload(server, i % 2 == 0 ? "/stream" : "/bytes", most));
            }
            await().until(() -> server.counters().getOrDefault("spool-files", 0L) == SLOW_CLIENTS);
            HttpResponse<String> normal = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/hello"))
                                    .timeout(Duration.ofSeconds(60))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertEquals("hello", normal.body());
            for (Socket socket : slow) {
                socket.getOutputStream().write('a');
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
                assertEquals("read " + SIZE, answer.substring(answer.indexOf("\r\n\r\n") + 4));
                socket.close();
            }
        }
    }
}
