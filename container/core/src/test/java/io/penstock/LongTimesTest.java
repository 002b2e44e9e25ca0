package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Key;
import io.penstock.limits.ValueType;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests very long times. Applications can use very long timeouts and lifetimes. The settings of the server have a maximum, and the server
 * does not start if a setting is above its maximum.
 */
class LongTimesTest {

    private static Penstock server(HttpServlet servlet, Consumer<Penstock.Builder> more) throws StartException {
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/", context -> context.servlet("s", servlet, "/*"));
        more.accept(builder);
        return builder.start();
    }

    private static Penstock server(HttpServlet servlet) throws StartException {
        return server(servlet, builder -> {});
    }

    /** Completes the request on a thread of the container. */
    private static final class Waiting extends HttpServlet {
        private final long timeout;

        Waiting(long timeout) {
            this.timeout = timeout;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            AsyncContext async = request.startAsync();
            async.setTimeout(timeout);
            async.start(() -> {
                response.setHeader("X-Timeout", Long.toString(async.getTimeout()));
                async.complete();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(
            longs = {Long.MAX_VALUE, Long.MAX_VALUE / 1_000_000, Long.MAX_VALUE / 1_000_000 + 1, Long.MAX_VALUE / 2})
    void anAsynchronousTimeoutCanBeVeryLong(long timeout) throws Exception {
        try (Penstock server = server(new Waiting(timeout))) {
            RawExchange answer = RawExchange.get(server, "/");
            assertEquals(200, answer.status(), answer.text());
            assertEquals(List.of(Long.toString(timeout)), answer.values("X-Timeout"));
        }
    }

    private static final class LongLived extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setDateHeader("Expires", Long.MAX_VALUE);
            response.setDateHeader("Last-Modified", Long.MIN_VALUE);
            Cookie cookie = new Cookie("c", "v");
            cookie.setMaxAge(Integer.MAX_VALUE);
            response.addCookie(cookie);
            AtomicInteger count = count(request);
            request.getSession().setMaxInactiveInterval(Integer.MAX_VALUE);
            response.getWriter().print(count.incrementAndGet());
        }

        private static AtomicInteger count(HttpServletRequest request) {
            Object known = request.getSession().getAttribute("count");
            AtomicInteger count = known == null ? new AtomicInteger() : (AtomicInteger) known;
            request.getSession().setAttribute("count", count);
            return count;
        }
    }

    @Test
    void dateFieldsAndCookiesAndSessionsAcceptVeryLongTimes() throws Exception {
        try (Penstock server = server(
                new LongLived(),
                builder -> builder.context("/long", context -> context.servlet("s", new LongLived(), "/*")
                        .initializer((classes, starting) -> starting.setSessionTimeout(Integer.MAX_VALUE))))) {
            for (String path : new String[] {"/", "/long/"}) {
                RawExchange first = RawExchange.get(server, path);
                assertEquals(200, first.status(), first.text());
                assertEquals(List.of("Fri, 31 Dec 9999 23:59:59 GMT"), first.values("Expires"));
                assertEquals(List.of("Mon, 01 Jan 0001 00:00:00 GMT"), first.values("Last-Modified"));
                assertTrue(first.text().contains("c=v; Max-Age=2147483647; Expires="), first.text());
                String session = first.values("Set-Cookie").stream()
                        .filter(line -> line.startsWith("JSESSIONID="))
                        .findFirst()
                        .orElseThrow()
                        .replaceAll(";.*", "");
                assertEquals(
                        "2", RawExchange.get(server, path, "Cookie: " + session).body());
            }
        }
    }

    private static final class Unavailable extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws UnavailableException {
            throw new UnavailableException("for long", Integer.MAX_VALUE);
        }
    }

    @Test
    void aServletCanBeUnavailableForAVeryLongTime() throws Exception {
        try (Penstock server = server(new Unavailable())) {
            for (int i = 0; i < 2; i++) {
                RawExchange answer = RawExchange.get(server, "/");
                assertEquals(503, answer.status(), answer.text());
                long seconds = Long.parseLong(answer.values("Retry-After").get(0));
                assertTrue(seconds > Integer.MAX_VALUE - 60L, answer.text());
            }
        }
    }

    /**
     * The maximum of a time setting is ten years. The test sets each time setting to the maximum, except the shutdown delay: the server
     * waits for this delay when it stops.
     */
    @Test
    void theServerWorksWithTheMaximumValuesOfItsTimeSettings() throws Exception {
        try (Penstock server = server(new Waiting(0), builder -> {
            for (Key key : Key.values()) {
                if (key.type() == ValueType.DURATION && key != Key.SHUTDOWN_DELAY) {
                    builder.set(key.id(), "87600h");
                }
            }
        })) {
            assertEquals(200, RawExchange.get(server, "/").status());
        }
    }

    @Test
    void theServerDoesNotStartWithATimeSettingAboveTheMaximum() {
        for (Key key : Key.values()) {
            if (key.type() == ValueType.DURATION) {
                for (String time :
                        new String[] {"87601h", "300000000000h", "9223372036854775807ms", "9".repeat(30) + "s"}) {
                    StartException e = assertThrows(
                            StartException.class,
                            () -> server(new Unavailable(), builder -> builder.set(key.id(), time)));
                    assertTrue(
                            e.getMessage()
                                    .matches(key.id() + "(: '" + time + "' is too large"
                                            + "| must not be longer than 3650 days) \\(from code\\)"),
                            e.getMessage());
                }
            }
        }
    }
}
