package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.metrics.Gauge;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The access log has a line for each request that the server receives. */
class AccessLogTest {
    private static final String FIELDS = "cs-method cs-uri sc-status x-outcome x-reason cs-bytes cs(User-Agent)";

    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("access.log");
    }

    /** Responds with the body of the request. */
    private static final class Echo extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            request.getInputStream().transferTo(response.getOutputStream());
        }
    }

    private Penstock.Builder server() {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("access-log", file().toString())
                .set("access-log-format", FIELDS)
                .context("/app", context -> context.servlet("echo", new Echo(), "/echo"));
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(file(), StandardCharsets.US_ASCII).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    @Test
    void servedAndRefusedAndMalformedRequestsAreLogged() throws Exception {
        try (Penstock server = server().set("head-timeout", "3s").start()) {
            RawExchange.get(server, "/app/echo?a=b", "User-Agent: Browser \"one\"");
            RawExchange.of(
                    server, "POST /app/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc");
            RawExchange.get(server, "/missing");
            RawExchange.get(server, "/app/missing");
            RawExchange.of(server, "GET /app/echo HTTP/1.1\r\nno colon\r\n\r\n");
            RawExchange.of(server, "(nonsense)\r\n\r\n");
            RawExchange.get(server, "/a\r\n192.0.2.66 - - forged");
            RawExchange.of(server, "GET /slow HTTP/1.1\r\nHost");
            RawExchange.get(server, "/" + "x".repeat(10_000));
        }
        assertEquals(
                List.of(
                        "GET /app/echo?a=b 200 answered - 0 Browser%20%22one%22",
                        "POST /app/echo 200 answered - 3 -",
                        "GET /missing 404 refused admission 0 -",
                        "GET /app/missing 404 answered - 0 -",
                        "GET /app/echo 400 refused field%20line%20with%20a%20malformed%20name 0 -",
                        "- - 400 refused malformed%20method 0 -",
                        "- - 400 refused request%20line%20without%20target%20or%20version 0 -",
                        "GET /slow 408 refused head-timeout 0 -",
                        "- - 414 refused request-line-limit 0 -"),
                lines());
    }

    @Test
    void aRefusedConnectionIsLogged() throws Exception {
        try (Penstock server = server().set("max-connections", "1").start();
                Socket first = new Socket("127.0.0.1", server.port())) {
            first.getOutputStream()
                    .write("GET /app/echo HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertTrue(first.getInputStream().read() > 0);
            RawExchange.get(server, "/app/echo");
            await().until(() -> lines().contains("- - 503 refused max-connections 0 -"));
        }
    }

    @Test
    void theLogContainsTheNameOfTheAuthenticatedUser() throws Exception {
        Penstock.Builder login = server().set("access-log-format", "cs-uri sc-status cs-username")
                .realm(GivenRealm.annAndBob())
                .context("/staff", context -> context.servlet("echo", new Echo(), "/echo")
                        .constrain("/*", "staff")
                        .basicLogin("staff"));
        try (Penstock server = login.start()) {
            RawExchange.get(server, "/staff/echo", "Authorization: Basic YW5uOnNlY3JldA==");
            RawExchange.get(server, "/staff/echo", "Authorization: Basic YW5uOndyb25n");
            RawExchange.get(server, "/app/echo", "Authorization: Basic YW5uOnNlY3JldA==");
        }
        assertEquals(List.of("/staff/echo 200 ann", "/staff/echo 401 -", "/app/echo 200 -"), lines());
    }

    /** Sets fields, attributes and a session, as the path asks. */
    private static final class Noted extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            request.setAttribute("tenant", "first");
            request.setAttribute("tenant", "a b\r\n");
            request.setAttribute("gone", 1);
            request.removeAttribute("gone");
            request.setAttribute("object", new Noted());
            request.setAttribute("number", 42);
            if ("on".equals(request.getQueryString())) {
                request.setAttribute("quiet", Boolean.TRUE);
            }
            response.setHeader("X-Request-Id", "r7");
            response.addHeader("X-Request-Id", "r8");
            response.setHeader("X-Long", "x".repeat(1500));
            String id = request.getSession().getId();
            response.getOutputStream().print(id);
            response.flushBuffer();
            request.setAttribute("late", "yes");
        }
    }

    private Penstock.Builder noting(String format) {
        return server().set("access-log-format", format)
                .context("/noted", context -> context.servlet("noted", new Noted(), "/*"));
    }

    @Test
    void aLineHasFieldsOfTheResponseAndAttributesAndTheSession() throws Exception {
        String id;
        String long1024 = "x".repeat(1024);
        try (Penstock server = noting("sc(x-request-id) sc(X-Long) x-attribute(tenant) x-attribute(gone)"
                        + " x-attribute(object) x-attribute(number) x-attribute(late) x-session-id x-cookie(c)")
                .start()) {
            String chunked =
                    RawExchange.get(server, "/noted/", "Cookie: b=1; c=2").body();
            id = chunked.split("\r\n")[1];
            RawExchange.get(server, "/noted/", "Cookie: JSESSIONID=" + id);
            RawExchange.get(server, "/noted/", "Cookie: JSESSIONID=invented");
            RawExchange.get(server, "/app/echo", "Cookie: JSESSIONID=" + id);
            RawExchange.get(server, "/missing");
        }
        String start = "r7 " + long1024 + " a%20b%0D%0A - io.penstock.AccessLogTest$Noted 42 yes ";
        assertEquals(start + id + " 2", lines().get(0));
        assertEquals(start + id + " -", lines().get(1));
        assertTrue(lines().get(2).startsWith(start) && !lines().get(2).contains("invented"), lines().get(2));
        assertEquals("- - - - - - - - -", lines().get(3));
        assertEquals("- - - - - - - - -", lines().get(4));
    }

    @Test
    void conditionsDecideWhichRequestsGetALine() throws Exception {
        try (Penstock server = noting("cs-uri sc-status")
                .set("access-log-if", "sc-status=2*, x-reason=admission")
                .set("access-log-unless", "x-attribute(quiet), cs(User-Agent)=ELB-*")
                .start()) {
            RawExchange.get(server, "/noted/?off");
            RawExchange.get(server, "/noted/?on");
            RawExchange.get(server, "/missing");
            RawExchange.get(server, "/app/missing");
            RawExchange.get(server, "/noted/?probe", "User-Agent: ELB-HealthChecker/2.0");
            RawExchange.get(server, "/app/echo");
        }
        assertEquals(List.of("/noted/?off 200", "/missing 404", "/app/echo 200"), lines());
    }

    @Test
    void whatIsNotedIsInTheBudgetOfHeadsUntilTheClientHasReadTheResponse() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        try (Penstock server = server().set("access-log-format", "x-attribute(a)")
                .context(
                        "/slow",
                        context -> context.servlet(
                                "slow",
                                new HttpServlet() {
                                    @Override
                                    protected void doGet(HttpServletRequest request, HttpServletResponse response)
                                            throws IOException {
                                        request.setAttribute("a", "v".repeat(3000));
                                        response.getOutputStream().write(new byte[16 << 20]);
                                        answered.countDown();
                                    }
                                },
                                "/*"))
                .start()) {
            try (Socket slow = RawExchange.begin(server, "GET /slow/ HTTP/1.1\r\nHost: x\r\n\r\n")) {
                assertTrue(slow.getInputStream().read() > 0);
                assertTrue(answered.await(60, TimeUnit.SECONDS));
                long used = server.gauges().get(Gauge.HEAD_BYTES.id());
                assertTrue(used > 2 * 1024, () -> "used: " + used);
            }
            await().until(() -> server.gauges().get(Gauge.HEAD_BYTES.id()) == 0);
        }
    }

    @Test
    void theServerWritesAllLogLinesBeforeItStops() throws Exception {
        try (Penstock server = server().start()) {
            for (int i = 0; i < 50; i++) {
                RawExchange.get(server, "/app/echo?" + i);
            }
        }
        assertEquals(50, lines().size());
        assertTrue(lines().get(49).startsWith("GET /app/echo?49 200 "), lines()::toString);
    }

    @Test
    void theServerWritesToANewFileAfterACallOfReopenLogs() throws Exception {
        Path moved = folder.resolve("moved.log");
        try (Penstock server = server().start()) {
            RawExchange.get(server, "/app/echo?1");
            await().until(() -> lines().size() == 1);
            Files.move(file(), moved);
            ObjectName name = new ObjectName("io.penstock:type=Server,port=" + server.port());
            ManagementFactory.getPlatformMBeanServer().invoke(name, "reopenLogs", null, null);
            await().until(() -> Files.exists(file()));
            RawExchange.get(server, "/app/echo?2");
            await().until(() -> lines().size() == 1);
            Files.delete(file());
            server.reopenLogs();
            await().until(() -> Files.exists(file()));
        }
        assertTrue(Files.readString(moved).contains("/app/echo?1"));
    }

    @Test
    void theServerDoesNotStartWithAnInvalidAccessLogSetting() {
        assertFails("access-log-format: 'nonsense' is neither", server().set("access-log-format", "nonsense"));
        assertFails("access-log: cannot be written: ", server().set("access-log", folder.toString()));
        Path inNoFolder = folder.resolve("none/access.log");
        assertFails(
                "access-log: cannot be written: " + inNoFolder + ": no such folder; create it first",
                server().set("access-log", inNoFolder.toString()));
        assertFails(
                "access-log-rotate must be never or daily, not 'hourly'", server().set("access-log-rotate", "hourly"));
        assertFails(
                "access-log-rotate-size must be at least 64K, not 1K", server().set("access-log-rotate-size", "1K"));
        assertFails("access-log-ring must be at least 1, not 0", server().set("access-log-ring", "0"));
    }

    private static void assertFails(String line, Penstock.Builder builder) {
        StartException failed = assertThrows(StartException.class, builder::start);
        assertTrue(String.valueOf(failed.getMessage()).startsWith(line), failed.getMessage());
    }

    @Test
    void theServerStartsNoLogWriterThreadWithoutAnAccessLog() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        try (Penstock server = Penstock.builder().host("127.0.0.1").port(0).start()) {
            server.reopenLogs();
            assertTrue(Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> !before.contains(thread))
                    .noneMatch(thread -> thread.getName().equals("log-writer")));
        }
    }
}
