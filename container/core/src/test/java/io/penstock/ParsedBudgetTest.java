package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import io.penstock.metrics.Gauge;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests {@code parsed-budget}. Clients send requests with many values. The servlet reads the values, and holds each request as an
 * asynchronous request, until the budget is used up. However the held requests end, the whole budget must then be free.
 */
class ParsedBudgetTest {
    private static final int BUDGET = 256 << 10;
    private static final int MAX_HELD = 100;
    private static final String NAMES =
            IntStream.range(0, 300).mapToObj(i -> "n" + i).collect(Collectors.joining("&"));

    @RegisterExtension
    final LeakCheck left = new LeakCheck();

    private final Queue<AsyncContext> held = new ConcurrentLinkedQueue<>();
    private final List<Socket> clients = new ArrayList<>();
    private Penstock server;

    private enum Values {
        FORM(post("/hold", "application/x-www-form-urlencoded", NAMES)),
        LARGE_FORM(post("/hold", "application/x-www-form-urlencoded", "a=" + "x".repeat(100_000))),
        QUERY(get("/hold?" + NAMES, "")),
        QUERY_OF_A_FORWARD(get("/forward?" + NAMES, "")),
        COOKIES(get(
                "/hold",
                "Cookie: "
                        + IntStream.range(0, 200)
                                .mapToObj(i -> "c" + i + "=" + i)
                                .collect(Collectors.joining(";"))
                        + "\r\n")),
        PARTS(post("/hold", "multipart/form-data; boundary=b", part("x").repeat(200) + "--b--")),
        PART_IN_MEMORY(post("/hold", "multipart/form-data; boundary=b", part("x".repeat(30_000)) + "--b--")),
        READER(post("/read", "text/plain", "x"));

        private final String request;

        Values(String request) {
            this.request = request;
        }

        private static String get(String target, String lines) {
            return "GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + lines + "\r\n";
        }

        private static String post(String target, String type, String body) {
            return "POST " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: " + type
                    + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        }

        private static String part(String content) {
            return "--b\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n" + content + "\r\n";
        }
    }

    /** Reads all values of the request, then holds the request. */
    private final class Holding extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            if (request.getServletPath().equals("/read")) {
                request.getReader();
            } else {
                request.getCookies();
                request.getParameterMap();
            }
            AsyncContext async = request.startAsync();
            async.setTimeout(0);
            held.add(async);
        }
    }

    private static final class Forwarding extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            request.getRequestDispatcher("/hold?" + request.getQueryString()).forward(request, response);
        }
    }

    private static final class Failing extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws ServletException {
            request.getParameterMap();
            throw new ServletException("after the parameters");
        }
    }

    private static final class Upgrading extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            request.getParameterMap();
            request.upgrade(Silent.class);
        }
    }

    /** Never reads or writes. */
    public static final class Silent implements HttpUpgradeHandler {
        @Override
        public void init(WebConnection connection) {}

        @Override
        public void destroy() {}
    }

    @BeforeEach
    void start() throws Exception {
        MultipartConfigElement inMemory = new MultipartConfigElement("", -1, -1, 100_000);
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("parsed-budget", Integer.toString(BUDGET))
                .context("/", context -> context.servlet("hold", new Holding(), inMemory, "/hold", "/read")
                        .servlet("forward", new Forwarding(), "/forward")
                        .servlet("upgrade", new Upgrading(), "/upgrade")
                        .servlet("fail", new Failing(), "/fail"))
                .start();
    }

    @AfterEach
    void allBytesHaveBeenGivenBack() throws IOException {
        for (Socket client : clients) {
            client.close();
        }
        left.awaitIn(server);
        server.close();
    }

    private long parsedBytes() {
        return server.gauges().get(Gauge.PARSED_BYTES.id());
    }

    private long refused() {
        return server.counters().get(Counter.PARSED_BUDGET_EXCEEDED.id());
    }

    /** Sends requests until one is refused. Returns the refused one. */
    private Socket hold(Values values) throws IOException {
        while (true) {
            int before = held.size();
            Socket client = RawExchange.begin(server, values.request);
            clients.add(client);
            await().until(() -> held.size() > before || refused() > 0);
            if (refused() > 0) {
                return client;
            }
            assertTrue(parsedBytes() <= BUDGET);
            assertTrue(held.size() < MAX_HELD);
        }
    }

    @ParameterizedTest
    @EnumSource(Values.class)
    void aRequestGets503IfItsValuesWouldExceedTheBudget(Values values) throws IOException {
        Socket last = hold(values);
        assertTrue(held.size() > 0);
        RawExchange answer =
                new RawExchange(new String(last.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
        assertEquals(503, answer.status());
        assertEquals(List.of("1"), answer.values("Retry-After"));
        assertEquals(1, refused());

        completeAll();
        await().until(() -> parsedBytes() == 0);
        clients.add(RawExchange.begin(server, values.request));
        await().until(() -> !held.isEmpty());
        completeAll();
    }

    private void completeAll() {
        for (AsyncContext one = held.poll(); one != null; one = held.poll()) {
            one.complete();
        }
    }

    @ParameterizedTest
    @EnumSource(Values.class)
    void theBytesAreGivenBackWhenTheClientLeaves(Values values) throws IOException {
        hold(values);
        for (Socket client : clients) {
            client.setSoLinger(true, 0);
            client.close();
        }
        await().until(() -> parsedBytes() == 0);
    }

    /** WebSocket applications can read the parameters of the handshake at any time. */
    @Test
    void theBytesAreGivenBackAtTheEndOfAnUpgradedConnection() throws IOException {
        try (Socket client = RawExchange.begin(
                server,
                "GET /upgrade?" + NAMES + " HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")) {
            await().until(() -> server.gauges().get(Gauge.CONNECTIONS_UPGRADED.id()) == 1);
            assertTrue(parsedBytes() > 0);
            client.setSoLinger(true, 0);
        }
        await().until(() -> parsedBytes() == 0);
    }

    @Test
    void theBytesAreGivenBackWhenTheServletThrows() throws IOException {
        assertEquals(500, RawExchange.get(server, "/fail?" + NAMES).status());
        await().until(() -> parsedBytes() == 0);
    }
}
