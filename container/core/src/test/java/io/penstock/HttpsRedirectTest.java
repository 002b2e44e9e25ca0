package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.certificates.Issued;
import io.penstock.challenges.HttpChallenges;
import io.penstock.telemetry.Figure;
import io.penstock.telemetry.FigureVisitor;
import io.penstock.telemetry.Times;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the listener without TLS that redirects clients to the TLS listener ({@code redirect-port}). */
class HttpsRedirectTest {
    @TempDir
    static Path folder;

    private Penstock server;

    /** Answers with the scheme and the path of the request. */
    private static final class Echo extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(request.getScheme() + " " + request.getRequestURI());
        }
    }

    private static Penstock start(String... keysAndValues) throws Exception {
        Issued issued = Issued.self(Issued.EC, "good.example");
        Path file = folder.resolve("both.pem");
        Files.writeString(file, issued.pem() + issued.keyPem());
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("tls-cert", file.toString())
                .set("redirect-port", "0")
                .context("/", context -> context.servlet("echo", new Echo(), "/*"));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            builder.set(keysAndValues[i], keysAndValues[i + 1]);
        }
        return builder.start();
    }

    @BeforeEach
    void begin() throws Exception {
        server = start();
    }

    @AfterEach
    void end() {
        server.close();
    }

    private static RawExchange send(Penstock server, String bytes) throws IOException {
        return RawExchange.of(server.redirectAddress().orElseThrow().getPort(), bytes);
    }

    private RawExchange send(String requestLine, String... lines) throws IOException {
        return send(server, requestLine + "\r\n" + String.join("\r\n", lines) + "\r\nConnection: close\r\n\r\n");
    }

    private String https(String host) {
        return "https://" + host + ":" + server.port();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/a/../b//c",
                "/a%2Fb;x=y/%E2%82%AC?q=%20a+b&c={|}`\\^[]?",
                "/?",
                "//evil.example/x",
                "/.well-known/acme-challenge/",
                "/.well-known/acme-challenge/../x"
            })
    void theRedirectLocationKeepsThePathAndTheQuery(String target) throws IOException {
        RawExchange led = send("GET " + target + " HTTP/1.1", "Host: Good.Example:8080");
        assertEquals(301, led.status());
        assertEquals(List.of(https("Good.Example") + target), led.values("Location"));
    }

    @ParameterizedTest
    @CsvSource({"GET, 301", "HEAD, 301", "POST, 308", "PUT, 308", "DELETE, 308", "QUERY, 308", "FOO, 308"})
    void getAndHeadAreRedirectedWith301AndOtherMethodsWith308(String method, int status) throws IOException {
        RawExchange led = send(method + " /x HTTP/1.1", "Host: good.example");
        assertEquals(status, led.status());
        assertEquals(method.equals("HEAD"), led.body().isEmpty());
    }

    @Test
    void theRedirectDoesNotWaitForTheRequestBody() throws IOException {
        RawExchange led = send(server, "POST /x HTTP/1.1\r\nHost: good.example\r\nContent-Length: 1000000\r\n\r\nabc");
        assertEquals(308, led.status());
        assertEquals(List.of("close"), led.values("Connection"));
    }

    @Test
    void severalRequestsOnOneConnectionAreRedirected() throws IOException {
        String get = "GET /x HTTP/1.1\r\nHost: good.example\r\n\r\n";
        RawExchange both = send(server, get + get.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
        assertEquals(3, both.text().split("HTTP/1.1 301 ", -1).length);
    }

    @Test
    void theRedirectLocationHasTheHostOfTheRequest() throws IOException {
        assertEquals(
                List.of(https("[::1]") + "/x"),
                send("GET /x HTTP/1.1", "Host: [::1]:80").values("Location"));
        assertEquals(
                List.of(https("other.example") + "/?q"),
                send("GET http://other.example:80?q HTTP/1.1", "Host: good.example")
                        .values("Location"));
        assertEquals(
                List.of(https("good.example")),
                send("OPTIONS * HTTP/1.1", "Host: good.example").values("Location"));
        assertEquals(
                List.of(https("old.example") + "/x"),
                send("GET /x HTTP/1.0", "Host: old.example").values("Location"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host: a b", "Host: a/b", "Host: a@b", "Host: ", "Host: a:b", "Host: a\r\nHost: b", "X: y"})
    void aRequestWithAMissingOrMalformedHostFieldGets400(String line) throws IOException {
        RawExchange refused = send("GET /x HTTP/1.1", line);
        assertEquals(400, refused.status());
        assertEquals(List.of(), refused.values("Location"));
    }

    @Test
    void anHttp10RequestWithoutAHostFieldGets400WithAnExplanation() throws IOException {
        RawExchange refused = send("GET /x HTTP/1.0", "X: y");
        assertEquals(400, refused.status());
        assertEquals("This port redirects to HTTPS, and the request names no host\n", refused.body());
    }

    @Test
    void theRedirectLocationOmitsPort443AndContainsAnyOtherPort() throws Exception {
        try (Penstock usual = start("redirect-to-port", "443")) {
            RawExchange led = send(usual, "GET /x HTTP/1.1\r\nHost: good.example:80\r\nConnection: close\r\n\r\n");
            assertEquals(List.of("https://good.example/x"), led.values("Location"));
        }
        try (Penstock mapped = start("redirect-to-port", "9443")) {
            RawExchange led = send(mapped, "GET /x HTTP/1.1\r\nHost: good.example:80\r\nConnection: close\r\n\r\n");
            assertEquals(List.of("https://good.example:9443/x"), led.values("Location"));
        }
    }

    @Test
    void theServerRespondsToAPendingAcmeChallenge() throws IOException {
        server.challenges().put("token", "token.thumb");
        String path = HttpChallenges.PATH + "token";
        RawExchange answered = send("GET " + path + " HTTP/1.1", "Host: good.example");
        assertEquals(200, answered.status());
        assertEquals("token.thumb", answered.body());
        assertEquals(List.of("application/octet-stream"), answered.values("Content-Type"));
        assertEquals(
                "", send("HEAD " + path + " HTTP/1.1", "Host: good.example").body());
        server.challenges().remove("token");
        assertEquals(
                301, send("GET " + path + " HTTP/1.1", "Host: good.example").status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "other",
                "other?query",
                "token?query",
                "token;x",
                "%74oken",
                "token/",
                "other%2f..%2f..%2fx",
                "../../app"
            })
    void noRequestReachesTheApplication(String end) throws IOException {
        server.challenges().put("token", "token.thumb");
        for (String method : List.of("GET", "HEAD", "POST")) {
            RawExchange answered = send(method + " " + HttpChallenges.PATH + end + " HTTP/1.1", "Host: good.example");
            boolean open = end.startsWith("token?") && !method.equals("POST");
            assertEquals(open ? 200 : method.equals("POST") ? 308 : 301, answered.status());
            assertFalse(answered.body().startsWith("http "), answered.text());
        }
    }

    @Test
    void clientsWithADeniedAddressGetNoRedirect() throws Exception {
        try (Penstock closed = start("denied-addresses", "127.0.0.0/8")) {
            closed.challenges().put("token", "token.thumb");
            for (String path : List.of("/x", HttpChallenges.PATH + "other", HttpChallenges.PATH + "other?query")) {
                RawExchange refused =
                        send(closed, "GET " + path + " HTTP/1.1\r\nHost: good.example\r\nConnection: close\r\n\r\n");
                assertEquals(403, refused.status());
                assertEquals(List.of(), refused.values("Location"));
            }
            assertEquals(3, closed.counters().get("addresses-denied"));
            RawExchange answered = send(
                    closed,
                    "GET " + HttpChallenges.PATH + "token HTTP/1.1\r\nHost: good.example\r\nConnection: close\r\n\r\n");
            assertEquals("token.thumb", answered.body());
        }
    }

    @Test
    void redirectsCountForTheRequestRateOfTheAddress() throws Exception {
        try (Penstock slow = start("request-rate", "1", "request-burst", "1")) {
            String get = "GET /x HTTP/1.1\r\nHost: good.example\r\n\r\n";
            String last = "GET /x HTTP/1.1\r\nHost: good.example\r\nConnection: close\r\n\r\n";
            RawExchange all = send(slow, get.repeat(100) + last);
            assertEquals(301, all.status());
            assertTrue(all.text().contains("HTTP/1.1 429 "), all.text());
        }
    }

    @Test
    void theRefusalMetricsDoNotCountRedirects() throws Exception {
        try (Penstock measured = start("request-metrics", "on")) {
            assertEquals(
                    301,
                    send(measured, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                            .status());
            assertEquals(
                    400, send(measured, "GET / HTTP/1.1\r\nHost: a b\r\n\r\n").status());
            assertEquals(Map.of("400 other", 1L), refusals(measured));
        }
    }

    /** Returns the number of refusals for each status and reason. */
    private static Map<String, Long> refusals(Penstock server) {
        Map<String, Long> counts = new TreeMap<>();
        server.figures(new FigureVisitor() {
            @Override
            public void counter(Figure figure, LongSupplier value) {
                if (figure.name().equals("penstock.refusals") && value.getAsLong() > 0) {
                    counts.put(String.join(" ", figure.labels().values()), value.getAsLong());
                }
            }

            @Override
            public void gauge(Figure figure, DoubleSupplier value) {}

            @Override
            public void times(Figure figure, Supplier<Times> times) {}
        });
        return counts;
    }

    @Test
    void theMetricsDistinguishTlsAndPlainHttp() throws Exception {
        try (Penstock measured = start("request-metrics", "on");
                HttpsClient client = new HttpsClient(measured.port(), "good.example")) {
            assertEquals(
                    200,
                    client.send("PUT / HTTP/1.1\r\nHost: good.example\r\n\r\n").status());
            send(measured, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            await().until(() -> kinds(measured).equals(Set.of("https PUT 200", "http GET 301")));
        }
    }

    /** Returns the scheme, method and status of the ended requests. */
    private static Set<String> kinds(Penstock server) {
        return EndedRequests.kinds(server, "url.scheme", "http.request.method", "http.response.status_code");
    }

    @Test
    void theConnectionsGaugeCountsIdleClientsOfTheRedirectPort() throws Exception {
        int port = server.redirectAddress().orElseThrow().getPort();
        try (Socket silent = RawExchange.begin(port, "GET / HT")) {
            await().until(() -> server.gauges().get("connections") == 1);
            assertTrue(silent.isConnected());
        }
        await().until(() -> server.gauges().get("connections") == 0);
    }
}
