package io.penstock.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.Key;
import io.penstock.limits.Origin;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.ServerLogging;
import io.penstock.part.LogLines;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** Tests the configuration of loggers. A new configuration must apply to existing loggers, and to loggers that are created later. */
class LoggersTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final Loggers loggers = new Loggers(new LogSink(new PrintStream(written, true, StandardCharsets.UTF_8)));

    private void configure(String levels, String format) {
        loggers.apply(settings(levels, format, "none"));
    }

    private static ServerLogging settings(String levels, String format, String node) {
        return ServerConfig.of(new ConfigurationSources()
                        .flag(Key.LOG_LEVEL, levels, new Origin.Code())
                        .flag(Key.LOG_FORMAT, format, new Origin.Code())
                        .flag(Key.NODE_NAME, node, new Origin.Code())
                        .resolve())
                .log();
    }

    @Test
    void theLongestMatchingLoggerNameDeterminesTheLevel() {
        Logger before = loggers.getLogger("com.shop.Orders");
        assertTrue(before.isInfoEnabled());
        assertFalse(before.isDebugEnabled());
        configure("warn, com.shop=debug,com.shop.quiet=off", "text");
        assertTrue(before.isDebugEnabled());
        assertFalse(before.isTraceEnabled());
        assertFalse(loggers.getLogger("com.shop.quiet.Till").isErrorEnabled());
        assertFalse(loggers.getLogger("com.shopping").isInfoEnabled());
        assertTrue(loggers.getLogger("org.other").isWarnEnabled());
        before.debug("{} of {}", 1, 2);
        loggers.getLogger("org.other").info("not written");
        String text = written.toString(StandardCharsets.UTF_8);
        assertEquals(1, text.lines().count(), text);
        assertTrue(text.endsWith(" DEBUG Orders - 1 of 2\n"), text);
    }

    @Test
    void theLastArgumentOfALogCallMayBeAnException() {
        configure("info", "json");
        loggers.getLogger("a").error("{} failed", "it", new IllegalStateException("why"));
        String json = written.toString(StandardCharsets.UTF_8);
        assertEquals(1, json.lines().count(), json);
        assertTrue(json.contains("\"message\":\"it failed\",\"error\":\"java.lang.IllegalStateException: why\""), json);
    }

    @Test
    void onlyTheLinesOfTheServersOwnTextStayApart() {
        configure("info", "text");
        loggers.getLogger("a")
                .error("{} fails{}", "/a\nb", new LogLines("one\n  two"), new IllegalStateException("why"));
        String text = written.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains(" - /a\\nb fails\n  one\n    two\n  java.lang.IllegalStateException: why\n"), text);
    }

    @Test
    void eachJsonRecordContainsTheNameOfTheNode() {
        loggers.apply(settings("info", "json", "node1"));
        loggers.getLogger("a").info("here");
        String json = written.toString(StandardCharsets.UTF_8);
        assertTrue(json.contains(",\"node\":\"node1\",\"level\":\"INFO\""), json);
    }

    /** The access log and the metrics have the former name until the restart, too. */
    @Test
    void aReloadChangesTheLevelsButNotTheNameOfTheNode() {
        loggers.apply(settings("info", "json", "node1"));
        loggers.applyReloaded(settings("debug", "json", "node2"));
        loggers.getLogger("a").debug("here");
        String json = written.toString(StandardCharsets.UTF_8);
        assertTrue(json.contains(",\"node\":\"node1\",\"level\":\"DEBUG\""), json);
    }
}
