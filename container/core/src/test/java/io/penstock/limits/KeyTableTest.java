package io.penstock.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.metrics.Gauge;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyTableTest {

    @Test
    void everyKeyHasANameAndAMeaningAndAUniqueEnvironmentVariable() {
        Set<String> seen = new HashSet<>();
        for (Key key : Key.values()) {
            assertTrue(key.id().matches("[a-z][a-z0-9]*(-[a-z0-9]+)*"), key.id());
            assertFalse(key.meaning().isBlank(), key.id());
            assertTrue(seen.add(key.variable()), key.variable());
        }
    }

    @Test
    void everyKeyHasACounterIfItsLimitCausesAnErrorResponse() {
        for (Key key : Key.values()) {
            if (key.consequence().status() != 0) {
                assertTrue(key.consequence().counter() != null, key.id());
            }
        }
    }

    /** The keys that need no counter and no gauge, although their value is a number, a size or a time. */
    private static final Set<Key> NO_BOUNDS = EnumSet.of(
            Key.BACKLOG, // the kernel counts full backlogs (ListenOverflows)
            Key.SEND_BUFFER,
            Key.RECEIVE_BUFFER,
            Key.REACTORS,
            Key.PIPE_CAPACITY, // larger bodies are written to disk and counted as spool-files
            Key.PIPE_SEGMENT,
            Key.SPOOL_THREADS,
            Key.TLS_THREADS,
            Key.ACCESS_LOG_ROTATE_SIZE,
            Key.ACCESS_LOG_KEEP,
            Key.COMPRESSION_MIN_SIZE, // only decides whether a response is compressed
            Key.WEBAPPS_INTERVAL,
            Key.TLS_RELOAD_INTERVAL,
            Key.SHUTDOWN_DELAY,
            Key.REQUEST_BURST, // the counter of request-rate counts requests beyond the burst
            Key.SESSION_TIMEOUT, // causes no error
            Key.SESSION_COOKIE_MAX_AGE, // only for browsers
            Key.REALM_LDAP_CONNECT_TIMEOUT, // a login without an answer is a response with 500, and a line in the log
            Key.REALM_LDAP_READ_TIMEOUT, // the same
            Key.REALM_LDAP_REMEMBERED, // causes no error
            Key.FORM_LOGIN_TIMEOUT); // causes no error: the session expires like any other session

    @Test
    void everyLimitHasACounterOrAGauge() {
        Set<Key> levels = EnumSet.noneOf(Key.class);
        for (Gauge gauge : Gauge.values()) {
            if (gauge.bound() != null) {
                levels.add(gauge.bound());
            }
        }
        for (Key key : Key.values()) {
            boolean seen = key.consequence().counter() != null || levels.contains(key);
            assertEquals(key.isMeasured() && !NO_BOUNDS.contains(key), seen && key.isMeasured(), key.id());
        }
    }

    /** A limit for the whole server needs a gauge. Operators can then see the current use before the limit is reached. */
    @Test
    void onlyLimitsOfTheWholeServerHaveAGauge() {
        Set<Key> levels = EnumSet.noneOf(Key.class);
        for (Gauge gauge : Gauge.values()) {
            if (gauge.bound() != null) {
                levels.add(gauge.bound());
            }
        }
        for (Key key : Key.values()) {
            boolean shared = key.id()
                    .matches(
                            "(max-(connections|streaming|spooling|sessions|login-sessions)|workers|queue|queue-age|.*-ring|file-cache"
                                    + "|.*-listeners|(pipe|head|parsed|tls)-budget|tls-tasks|compressors|session-store-threads|spool-(limit|queue))");
            assertEquals(shared, levels.contains(key), key.id());
        }
    }

    @Test
    void everyCounterHasAUniqueName() {
        Set<String> seen = new HashSet<>();
        for (Counter counter : Counter.values()) {
            assertTrue(seen.add(counter.id()), counter.id());
        }
    }

    @Test
    void eachCounterHasItsOwnValue() {
        Counters counters = new Counters();
        counters.increment(Counter.QUEUE_FULL);
        counters.increment(Counter.QUEUE_FULL);
        assertEquals(2, counters.value(Counter.QUEUE_FULL));
        assertEquals(0, counters.value(Counter.BODY_STALLS));
    }

    @Test
    void valuesAreShownInTheShortestExactForm() {
        assertEquals("1G", shown(Key.BODY_LIMIT, "1024M"));
        assertEquals("1025", shown(Key.BODY_LIMIT, "1025"));
        assertEquals("0", shown(Key.BODY_LIMIT, "0"));
        assertEquals("64K", shown(Key.BODY_LIMIT, "65536"));
        assertEquals("1m", shown(Key.HEAD_TIMEOUT, "60s"));
        assertEquals("1500ms", shown(Key.HEAD_TIMEOUT, "1500ms"));
        assertEquals("2h", shown(Key.HEAD_TIMEOUT, "120m"));
    }

    private static String shown(Key key, String text) {
        return Setting.parse(key, text, new Origin.Code()).text();
    }
}
