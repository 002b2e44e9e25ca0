package io.penstock.http2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.Penstock;
import io.penstock.certificates.AnyCertificate;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.Test;

/** HTTP/2 over TLS, as the client of the JDK speaks it. */
final class Http2OverTlsTest {
    private static final int LARGE = 2_000_000;

    /** Answers with the protocol in a field, and with the body of the request. */
    private static final class Echo extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setHeader("X-Protocol", request.getProtocol());
            response.setHeader("X-Secure", request.getScheme() + " " + request.isSecure());
            request.getInputStream().transferTo(response.getOutputStream());
        }
    }

    private static Penstock.Builder server() {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("tls-self-signed", "on")
                .context("/", context -> context.servlet("echo", new Echo(), "/*"));
    }

    private static HttpClient client() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new AnyCertificate()}, null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private static HttpRequest post(Penstock server, byte[] body) {
        return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + "/a"))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
    }

    @Test
    void aClientThatOffersItGetsHttp2() throws Exception {
        byte[] body = new byte[LARGE];
        new Random(2).nextBytes(body);
        try (Penstock server = server().start()) {
            HttpResponse<byte[]> response = client().send(post(server, body), HttpResponse.BodyHandlers.ofByteArray());
            assertEquals(HttpClient.Version.HTTP_2, response.version());
            assertEquals("HTTP/2.0", response.headers().firstValue("X-Protocol").orElseThrow());
            assertEquals("https true", response.headers().firstValue("X-Secure").orElseThrow());
            assertArrayEquals(body, response.body());
        }
    }

    @Test
    void manyRequestsOfOneConnectionAreNotMixedUp() throws Exception {
        try (Penstock server = server().start()) {
            HttpClient client = client();
            client.send(post(server, new byte[0]), HttpResponse.BodyHandlers.ofByteArray()); // the connection is made
            List<CompletableFuture<HttpResponse<byte[]>>> running = new ArrayList<>();
            List<byte[]> sent = new ArrayList<>();
            Random random = new Random(3);
            for (int i = 0; i < 80; i++) {
                byte[] body = new byte[random.nextInt(200_000)];
                random.nextBytes(body);
                sent.add(body);
                running.add(client.sendAsync(post(server, body), HttpResponse.BodyHandlers.ofByteArray()));
            }
            for (int i = 0; i < running.size(); i++) {
                HttpResponse<byte[]> response = running.get(i).get();
                assertEquals(HttpClient.Version.HTTP_2, response.version());
                assertArrayEquals(sent.get(i), response.body());
            }
        }
    }

    @Test
    void theKeySwitchesItOff() throws Exception {
        try (Penstock server = server().set("http2", "off").start()) {
            HttpResponse<byte[]> response =
                    client().send(post(server, new byte[10]), HttpResponse.BodyHandlers.ofByteArray());
            assertEquals(HttpClient.Version.HTTP_1_1, response.version());
        }
    }
}
