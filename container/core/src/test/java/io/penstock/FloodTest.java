package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends too many parameters, fields, cookies and ranges to a server with default limits. The server must refuse or ignore the excess, and
 * must answer quickly.
 */
class FloodTest {
    private static final int FILE_SIZE = 100_000;
    /** The time limit of an operation that normally takes milliseconds. A busy machine can need longer. */
    private static final Duration QUICK = PromptWaits.PATIENCE;

    @TempDir
    Path folder;

    @RegisterExtension
    final LeakCheck left = new LeakCheck();

    private Penstock server;

    /** Answers with the numbers of parameters, cookies, locales and fields of the request. */
    private static final class CountingServlet extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            int parameters = request.getParameterMap().size();
            int cookies = request.getCookies() == null ? 0 : request.getCookies().length;
            int locales = Collections.list(request.getLocales()).size();
            int fields = Collections.list(request.getHeaderNames()).size();
            boolean session = request.getSession(false) != null;
            response.getWriter().print(parameters + " " + cookies + " " + locales + " " + fields + " " + session);
        }
    }

    @BeforeEach
    void start() throws Exception {
        Files.write(folder.resolve("file"), new byte[FILE_SIZE]);
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/", context -> context.resources(folder).servlet("counting", new CountingServlet(), "/count"))
                .start();
    }

    @AfterEach
    void stop() {
        left.awaitIn(server);
        server.close();
    }

    private RawExchange count(String target, String... lines) {
        return assertTimeout(QUICK, () -> RawExchange.get(server, target, lines));
    }

    private long counted(String counter) {
        return server.counters().get(counter);
    }

    @Test
    void tooManyParametersAreRefused() {
        assertEquals("1 0 1 2 false", count("/count?" + "a&".repeat(1000)).body());
        assertEquals(400, count("/count?" + "a&".repeat(1001)).status());
        assertEquals(1, counted("too-many-parameters"));
    }

    @Test
    void parametersWithEqualHashCodesAreParsedQuickly() {
        StringBuilder form = new StringBuilder();
        for (int i = 0; i < 1000; i++) {
            for (int bit = 0; bit < 10; bit++) {
                form.append((i >> bit & 1) == 0 ? "Aa" : "BB"); // "Aa" and "BB" have the same hash code
            }
            form.append("=1&");
        }
        RawExchange exchange = assertTimeout(
                QUICK,
                () -> RawExchange.of(
                        server,
                        "POST /count HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: " + form.length()
                                + "\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n" + form));
        assertEquals("1000 0 1 4 false", exchange.body());
    }

    @Test
    void tooManyOrTooLargeFieldsAreRefused() {
        String[] lines = Collections.nCopies(98, "X: y").toArray(new String[0]);
        assertEquals("0 0 1 3 false", count("/count", lines).body()); // with Host and Connection, these are 100 lines
        lines = Collections.nCopies(99, "X: y").toArray(new String[0]);
        assertEquals(431, count("/count", lines).status());
        assertEquals(1, counted("too-many-headers"));
        assertEquals(431, count("/count", "X: " + "y".repeat(40_000)).status());
        assertEquals(1, counted("headers-too-large"));
    }

    @Test
    void tooManyCookiesAreRefused() {
        assertEquals(
                "0 200 1 3 false",
                count("/count", "Cookie: " + "a=1;".repeat(200)).body());
        assertEquals(
                431,
                count("/count", "Cookie: " + "a=1;".repeat(101), "Cookie: " + "a=1;".repeat(100))
                        .status());
        assertEquals(1, counted("too-many-cookies"));
        String id = "JSESSIONID=" + "A".repeat(32) + ";";
        assertEquals(
                "0 200 1 3 false", count("/count", "Cookie: " + id.repeat(200)).body());
        assertEquals(431, count("/count", "Cookie: " + id.repeat(700)).status());
        assertEquals(
                "0 0 1 3 false",
                count("/count", "Cookie: " + ";".repeat(30_000)).body());
    }

    @Test
    void manyPathParametersAreAcceptedUpToTheMaximumTargetLength() {
        assertEquals("0 0 1 2 false", count("/count" + ";a=b".repeat(2000)).body());
        assertEquals("0 0 1 2 false", count("/count" + ";".repeat(8000)).body());
        assertEquals("0 0 1 2 false", count("/x/..".repeat(1500) + "/count").body());
        assertEquals(414, count("/count" + ";a=b".repeat(2100)).status());
    }

    @Test
    void longAcceptLanguageFieldsAreParsedQuickly() {
        StringBuilder languages = new StringBuilder("en");
        for (int i = 0; languages.length() < 30_000; i++) {
            languages
                    .append(",a")
                    .append(Integer.toString(i, 36))
                    .append(";q=0.")
                    .append(i % 1000);
        }
        assertTrue(count("/count", "Accept-Language: " + languages).body().matches("0 0 [1-9][0-9]? 3 false"));
        assertEquals(
                200, count("/count", "Accept-Language: " + ";q=".repeat(10_000)).status());
        assertEquals(
                200,
                count("/count", "Accept-Language: en;q=0." + "0".repeat(30_000)).status());
    }

    @Test
    void tooManyRangesAreIgnored() {
        assertEquals(200, range("0-".concat(",0-".repeat(40))).status());
        assertEquals(200, range(",".repeat(30_000)).status());
        assertEquals(200, range("0-0," + "9".repeat(30_000) + "-x").status());
        RawExchange same = range("0-" + ",0-".repeat(31));
        assertEquals(206, same.status());
        assertEquals(FILE_SIZE, same.body().length());
        StringBuilder apart = new StringBuilder("0-0");
        for (int i = 1; i < 32; i++) {
            apart.append(',').append(i * 1000).append('-').append(i * 1000);
        }
        RawExchange parts = range(apart.toString());
        assertEquals(206, parts.status());
        assertTrue(
                parts.body().length() < 32 * 200,
                () -> "length of the body for 32 ranges: " + parts.body().length());
    }

    private RawExchange range(String ranges) {
        return count("/file", "Range: bytes=" + ranges);
    }
}
