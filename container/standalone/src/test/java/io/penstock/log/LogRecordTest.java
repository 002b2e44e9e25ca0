package io.penstock.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.path.json.JsonPath;
import java.util.List;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests the two formats of a log record. The text format has one line per record, and a stack trace if there is an exception. The JSON
 * format has one line per record. Line breaks in a message are escaped.
 */
class LogRecordTest {
    private static LogRecord record(String message, @Nullable Throwable thrown) {
        return new LogRecord(1_700_000_000_045L, "WARN", "worker-1", "com.shop.Orders", message, "", thrown);
    }

    private static StackTraceElement platform(String type) {
        return new StackTraceElement(null, "java.base", "17", type, "run", "P.java", 1);
    }

    private static StackTraceElement container(String type) {
        return new StackTraceElement("app", null, null, type, "call", "C.java", 2);
    }

    private static StackTraceElement shop(String type) {
        return new StackTraceElement("/srv/shop.war", null, null, type, "sell", "S.java", 3);
    }

    private static Throwable thrown(String message, @Nullable Throwable cause, StackTraceElement... frames) {
        IllegalStateException made = new IllegalStateException(message, cause);
        made.setStackTrace(frames);
        return made;
    }

    @Test
    void aTextLineContainsTheTimeAndTheThreadAndTheLevelAndTheLoggerAndTheMessage() {
        String text = record("sold 3", null).text();
        assertTrue(
                text.matches(
                        "2023-11-1[45]T\\d\\d:\\d\\d:20\\.045(Z|[+-]\\d\\d:\\d\\d) \\[worker-1] WARN Orders - sold 3\n"),
                text);
    }

    /** Tests a time before 1970, a time zone with minutes in its offset, and a time zone with summer time. */
    @Test
    void theTimeIsInTheDefaultTimeZone() {
        assertEquals("2023-11-14T22:13:20.045Z", time(1_700_000_000_045L, "UTC"));
        assertEquals("2023-11-15T03:43:20.045+05:30", time(1_700_000_000_045L, "Asia/Kolkata"));
        assertEquals("2023-11-14T14:13:20.045-08:00", time(1_700_000_000_045L, "America/Los_Angeles"));
        assertEquals("2023-07-22T21:26:40.000-07:00", time(1_690_086_400_000L, "America/Los_Angeles"));
        assertEquals("1969-12-31T23:59:59.999Z", time(-1, "UTC"));
    }

    private static String time(long at, String zone) {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        try {
            String text = new LogRecord(at, "INFO", "main", "Main", "", "", null).text();
            return text.substring(0, text.indexOf(' '));
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @Test
    void controlCharactersAndLineBreaksInAMessageAreEscaped() {
        String text = record("a\r\nb\u0000\u001b[31m\u2028c\td", null).text();
        assertTrue(text.endsWith(" - a\\r\\nb\\u0000\\u001b[31m\\u2028c\td\n"), text);
        Throwable hostile = thrown("one\ntwo", null, shop("com.shop.Till"));
        List<String> lines = record("m", hostile).text().lines().toList();
        assertEquals(
                List.of(
                        "  java.lang.IllegalStateException: one\\ntwo",
                        "    at /srv/shop.war//com.shop.Till.sell(S.java:3)"),
                lines.subList(1, lines.size()));
    }

    @Test
    void theLinesOfACompilersMessageAreIndentedLines() {
        LogRecord record =
                new LogRecord(0, "ERROR", "w", "Pages", "no\npage", "a.jsp:1\r\n  x\u001b;\n  ^", thrown("why", null));
        assertEquals(
                List.of("  a.jsp:1", "    x\\u001b;", "    ^", "  java.lang.IllegalStateException: why"),
                record.text().lines().skip(1).toList());
        String json = record.json("");
        assertEquals(1, json.lines().count(), json);
        assertEquals("no\npage\na.jsp:1\r\n  x\u001b;\n  ^", JsonPath.from(json).getString("message"));
    }

    @Test
    void aJsonRecordIsOneValidLine() {
        String json = record("say \"hi\"\\\n\u0007\ud83d", thrown("why", null, shop("com.shop.Till")))
                .json("");
        assertEquals(1, json.lines().count(), json);
        JsonPath read = JsonPath.from(json);
        assertEquals("say \"hi\"\\\n\u0007\ud83d", read.getString("message"));
        assertEquals("WARN", read.getString("level"));
        assertEquals("worker-1", read.getString("thread"));
        assertEquals("com.shop.Orders", read.getString("logger"));
        assertEquals("java.lang.IllegalStateException: why", read.getString("error"));
        assertEquals(
                "java.lang.IllegalStateException: why\n  at /srv/shop.war//com.shop.Till.sell(S.java:3)",
                read.getString("stack"));
    }

    @Test
    void containerFramesBelowApplicationFramesAreReplacedByOneLine() {
        StackTraceElement[] around = {
            shop("com.shop.OrderServlet"),
            container("jakarta.servlet.http.HttpServlet"),
            container("io.penstock.dispatch.Chain"),
            container("io.penstock.work.Workers"),
            platform("java.lang.Thread")
        };
        StackTraceElement[] deeper = {
            // The log must contain this frame, because the exception was thrown here.
            container("io.penstock.request.HttpResponse"),
            shop("com.shop.OrderDao"),
            around[0],
            around[1],
            around[2],
            around[3],
            around[4]
        };
        assertEquals(
                List.of(
                        "java.lang.IllegalStateException: outer",
                        "  at /srv/shop.war//com.shop.OrderServlet.sell(S.java:3)",
                        "  ... 4 of the container",
                        "Caused by: java.lang.IllegalStateException: inner",
                        "  at app//io.penstock.request.HttpResponse.call(C.java:2)",
                        "  at /srv/shop.war//com.shop.OrderDao.sell(S.java:3)",
                        "  ... 5 more"),
                StackText.of(thrown("outer", thrown("inner", null, deeper), around)));
    }

    @Test
    void aStackTraceIsShortenedOnlyIfAnApplicationFrameIsAboveAContainerFrame() {
        StackTraceElement[] frames = {
            platform("java.util.Map"), container("io.penstock.work.Workers"), platform("java.lang.Thread")
        };
        assertEquals(4, StackText.of(thrown("ours", null, frames)).size());
        StackTraceElement[] ownThread = {shop("com.shop.Job"), platform("java.lang.Thread")};
        assertEquals(3, StackText.of(thrown("its own thread", null, ownThread)).size());
    }

    @Test
    void anExceptionInACircularChainOfCausesIsPrintedOnce() {
        IllegalStateException one = new IllegalStateException("one");
        IllegalStateException other = new IllegalStateException("other", one);
        one.initCause(other);
        one.addSuppressed(other);
        List<String> lines = StackText.of(one);
        assertTrue(
                lines.stream()
                        .anyMatch(line -> line.contains("[the same again: java.lang.IllegalStateException: one]")),
                lines::toString);
    }
}
