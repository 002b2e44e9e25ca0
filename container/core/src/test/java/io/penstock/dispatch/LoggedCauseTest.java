package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** Tests the copy of an exception for the log. In the copy, line breaks in messages are escaped. */
class LoggedCauseTest {

    private static String printed(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void anExceptionWithoutLineBreaksInItsMessagesIsLoggedUnchanged() {
        Exception thrown = new IllegalStateException("plain \t text \u00e4\u20ac", new IOException((String) null));
        thrown.addSuppressed(new IOException("plain"));
        assertSame(thrown, LoggedCause.of(thrown));
    }

    @Test
    void lineBreaksInAllMessagesAreEscaped() {
        Exception thrown =
                new IllegalStateException("a\r\nb", new IOException("c\u0085d", new IOException("e\u2028f")));
        thrown.addSuppressed(new IOException("g\nh"));
        Throwable logged = LoggedCause.of(thrown);
        assertEquals("java.lang.IllegalStateException: a\\r\\nb", logged.toString());
        assertArrayEquals(thrown.getStackTrace(), logged.getStackTrace());
        String text = printed(logged);
        for (String line : text.split("\\R")) {
            assertTrue(
                    line.matches("java\\.lang\\.Ill.*|\tat .*|\t\\.\\.\\. .*|Caused by: .*|\tSuppressed: .*|\t\t.*"),
                    text);
        }
        assertTrue(text.contains("c\\x85d") && text.contains("e\\x2028f") && text.contains("g\\nh"), text);
    }

    @Test
    void circularAndVeryLongCauseChainsAreShortened() {
        Exception first = new Exception("first\n");
        Exception second = new Exception("second", first);
        first.initCause(second);
        second.addSuppressed(first);
        assertNotNull(printed(LoggedCause.of(first)));
        Exception chain = new Exception("bottom");
        for (int i = 0; i < 5000; i++) {
            chain = new Exception("chain", chain);
        }
        assertTrue(printed(LoggedCause.of(chain))
                        .lines()
                        .filter(line -> line.startsWith("Caused by"))
                        .count()
                < 200);
    }

    @Test
    void theCopyForADeveloperHasNoFramesOfTheServer() {
        Exception cause = new IOException("a\nb");
        cause.setStackTrace(new StackTraceElement[] {
            new StackTraceElement("com.shop.Till", "sell", "Till.java", 3),
            new StackTraceElement("io.penstock.dispatch.Chain", "doFilter", "Chain.java", 4),
            new StackTraceElement("java.lang.Thread", "run", "Thread.java", 5)
        });
        Throwable logged = LoggedCause.withoutServer(new IllegalStateException("plain", cause), null)
                .getCause();
        assertEquals("java.io.IOException: a\\nb", logged.toString());
        assertEquals(1, logged.getStackTrace().length);
        assertEquals("com.shop.Till", logged.getStackTrace()[0].getClassName());
    }
}
