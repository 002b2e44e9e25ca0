package io.penstock.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.limits.ServerLogging.Level;
import org.junit.jupiter.api.Test;

/** Tests the parsing of the configuration key for log levels. */
class ServerLoggingTest {
    private static ServerLogging levels(String text) {
        return ServerConfig.of(new ConfigurationSources()
                        .flag(Key.LOG_LEVEL, text, new Origin.Flag("--log-level"))
                        .resolve())
                .log();
    }

    @Test
    void theLevelOfTheLongestMatchingLoggerNameIsUsed() {
        ServerLogging log = levels("warn, a.b=debug, a.b.c=off");
        assertEquals(Level.WARN, log.level("a"));
        assertEquals(Level.DEBUG, log.level("a.b"));
        assertEquals(Level.DEBUG, log.level("a.b.x.y"));
        assertEquals(Level.OFF, log.level("a.b.c.d"));
        assertEquals(Level.WARN, log.level("a.bc"));
        assertEquals(
                ServerLogging.defaults(),
                ServerConfig.of(Configuration.defaults()).log());
    }

    @Test
    void invalidLogLevelsAreReported() {
        assertEquals(
                "log-level must be trace, debug, info, warn, error or off, not 'loud' (from --log-level)",
                assertThrows(ConfigurationException.class, () -> levels("loud")).getMessage());
        assertEquals(
                "log-level needs the name of a logger before '=', not '' (from --log-level)",
                assertThrows(ConfigurationException.class, () -> levels("=info"))
                        .getMessage());
    }
}
