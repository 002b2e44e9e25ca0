package io.penstock.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.limits.Configuration;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.limits.Origin;
import io.penstock.metrics.RequestMetrics;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What was refused or lost is told in words, and many at one time are one line. */
class IncidentsTest {
    private final Configuration configuration = new ConfigurationSources()
            .flag(Key.BODY_STALL_TIMEOUT, "10s", new Origin.Code())
            .resolve();
    private final RequestMetrics metrics = new RequestMetrics();
    private final Counters counters = new Counters();
    private final Incidents incidents = new Incidents(new Words(configuration));
    private Instant now = Instant.EPOCH;

    private List<String> look() {
        now = now.plusMillis(500);
        incidents.look(metrics, counters, now);
        return incidents.latest().stream()
                .map(one -> one.status() + ": " + one.words() + ", " + one.times())
                .toList();
    }

    @Test
    void whatWasBeforeTheFirstLookIsNoNews() {
        metrics.refused("c1", 503, Key.QUEUE.id());
        assertEquals(List.of(), look());
        assertEquals(0, incidents.refusedNow());
    }

    @Test
    void theBoundThatWasMetIsInTheWords() {
        look();
        for (int i = 0; i < 3; i++) {
            metrics.refused("c" + i, 408, Key.BODY_STALL_TIMEOUT.id());
        }
        assertEquals(List.of("408: body stalled 10 s, 3"), look());
        assertEquals(3, incidents.refusedNow());
    }

    @Test
    void whatGoesOnIsOneLineAndTheLatestIsFirst() {
        look();
        metrics.refused("c1", 503, Key.QUEUE.id());
        look();
        metrics.refused("c2", 400, "the client's \"words\"\n are not repeated");
        look();
        metrics.refused("c3", 503, Key.QUEUE.id());
        assertEquals(List.of("503: the queue was full (20,000), 2", "400: not a request that can be read, 1"), look());
        now = now.plusSeconds(30);
        metrics.refused("c4", 503, Key.QUEUE.id());
        assertEquals("503: the queue was full (20,000), 1", look().get(0));
        assertEquals(3, incidents.latest().size());
    }

    @Test
    void clientsThatWereLostAreToldToo() {
        look();
        counters.increment(Counter.CLIENTS_GONE);
        counters.increment(Counter.KEEP_ALIVE_TIMEOUTS);
        assertEquals(List.of("0: gone before it had its answer, 1"), look());
    }

    @Test
    void itStaysShort() {
        look();
        for (Key key : Key.values()) {
            metrics.refused("c1", 500, key.id());
        }
        assertEquals(12, look().size());
    }
}
