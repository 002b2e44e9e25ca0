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
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests the messages about refused requests, failed requests and clients that disconnect before the end of the response. The messages are
 * on the flow board, the live page for operators. A scan reads the counters of the server and adds messages about new events. Events of
 * the same kind within a short time are combined into one message.
 */
class IncidentsTest {
    private final Configuration configuration = new ConfigurationSources()
            .flag(Key.BODY_STALL_TIMEOUT, "10s", new Origin.Code())
            .resolve();
    private final RequestMetrics metrics = new RequestMetrics();
    private final Counters counters = new Counters();
    private final Incidents incidents = new Incidents(new Words(configuration));
    private List<Watched.Application> applications = List.of();
    private Instant now = Instant.EPOCH;

    private List<String> scan() {
        now = now.plusMillis(500);
        incidents.look(metrics, applications, counters, now);
        return incidents.latest().stream()
                .map(one -> one.status() + ": " + one.words() + ", " + one.times())
                .toList();
    }

    @Test
    void eventsBeforeTheFirstScanAreNotReported() {
        metrics.refused("c1", 503, Key.QUEUE.id());
        assertEquals(List.of(), scan());
        assertEquals(0, incidents.losses().refused());
    }

    @Test
    void theMessageAboutARefusedRequestContainsTheReachedLimit() {
        scan();
        for (int i = 0; i < 3; i++) {
            metrics.refused("c" + i, 408, Key.BODY_STALL_TIMEOUT.id());
        }
        assertEquals(List.of("408: body stalled 10 s, 3"), scan());
        assertEquals(3, incidents.losses().refused());
    }

    @Test
    void repeatedEventsAreCombinedIntoOneMessageAndTheLatestMessageIsFirst() {
        scan();
        metrics.refused("c1", 503, Key.QUEUE.id());
        scan();
        metrics.refused("c2", 400, "the client's \"words\"\n are not repeated");
        scan();
        metrics.refused("c3", 503, Key.QUEUE.id());
        assertEquals(List.of("503: the queue was full (20,000), 2", "400: not a request that can be read, 1"), scan());
        now = now.plusSeconds(30);
        metrics.refused("c4", 503, Key.QUEUE.id());
        assertEquals("503: the queue was full (20,000), 1", scan().get(0));
        assertEquals(3, incidents.latest().size());
    }

    @Test
    void clientsAreReportedIfTheyDisconnectBeforeTheEndOfTheResponse() {
        scan();
        counters.increment(Counter.CLIENTS_GONE);
        counters.increment(Counter.KEEP_ALIVE_TIMEOUTS);
        assertEquals(List.of("0: the client disconnected before its response ended, 1"), scan());
    }

    @Test
    void floodsAndTooManyStreamsAreReported() {
        scan();
        counters.increment(Counter.FLOOD_PAUSES);
        counters.increment(Counter.STREAMS_RESET);
        scan();
        counters.increment(Counter.STREAMS_REFUSED);
        assertEquals(
                List.of(
                        "0: one HTTP/2 connection had 100 requests, 1",
                        "0: not read for a while: an HTTP/2 client sent a flood of frames, 1"),
                scan());
    }

    private static Watched.Application application(String path, Map<Integer, Long> failures) {
        return new Watched.Application(path, "", 0, failures);
    }

    @Test
    void failedRequestsAreCountedSeparatelyForEachApplicationAndStatus() {
        applications = List.of(application("/", Map.of()), application("/shop", Map.of(500, 7L)));
        assertEquals(List.of(), scan());
        applications = List.of(application("/", Map.of(503, 1L)), application("/shop", Map.of(500, 9L, 502, 1L)));
        assertEquals(Set.of("503: / failed, 1", "500: /shop failed, 2", "502: /shop failed, 1"), Set.copyOf(scan()));
        assertEquals(Map.of("/", 1L, "/shop", 3L), incidents.losses().failed());
        assertEquals(0, incidents.losses().refused());
    }

    /** The failure counters of a new version start at zero. The difference between old and new counters must not be reported. */
    @Test
    void noFailuresAreReportedWhenTheCountersOfANewVersionStartAtZero() {
        applications = List.of(application("/shop", Map.of(500, 7L)));
        scan();
        applications = List.of(application("/shop", Map.of(500, 1L)));
        assertEquals(List.of(), scan());
        applications = List.of(application("/shop", Map.of(500, 2L)));
        assertEquals(List.of("500: /shop failed, 1"), scan());
        assertEquals(Map.of("/shop", 1L), incidents.losses().failed());
    }

    @Test
    void failuresPerSecondAreComputedFromTheDifferenceOfTwoCounts() {
        Losses then = new Losses(0, Map.of("/", 4L, "/shop", 1L));
        Losses now = new Losses(3, Map.of("/", 4L, "/shop", 2L, "/new", 6L));
        assertEquals(Map.of("/shop", 0.5, "/new", 3.0), now.failedSince(then, 2));
    }

    private List<RecentLosses.Loss> recentAfter(long millis) {
        now = now.plusMillis(millis - 500);
        scan();
        return incidents.recent().all();
    }

    @Test
    void failedRequestsAreShownForTenSeconds() {
        applications = List.of(application("/bad", Map.of()));
        scan();
        applications = List.of(application("/bad", Map.of(500, 20L)));
        RecentLosses.Loss failures = new RecentLosses.Loss(now.plusMillis(500), 500, "/bad", "/bad failed", 20);
        assertEquals(List.of(failures), recentAfter(500));
        assertEquals(1, incidents.recent().seconds(), "the period of the shown failures, in seconds");
        assertEquals(2, RecentLosses.secondsAgo(recentAfter(2_000), now));
        assertEquals(3, incidents.recent().seconds());
        assertEquals(List.of(failures), recentAfter(7_999));
        assertEquals("in the last 10 s", incidents.recent().words());
        assertEquals(List.of(), recentAfter(1));
    }

    @Test
    void failedRequestsAndRefusedRequestsAreCountedSeparately() {
        applications = List.of(application("/a", Map.of()), application("/b", Map.of()));
        scan();
        applications = List.of(application("/a", Map.of(500, 1L)), application("/b", Map.of(500, 2L)));
        metrics.refused("c1", 503, Key.QUEUE.id());
        metrics.refused("c2", 400, "not readable");
        scan();
        applications = List.of(application("/a", Map.of(500, 1L)), application("/b", Map.of(500, 2L, 503, 3L)));
        scan();
        RecentLosses recent = incidents.recent();
        assertEquals(
                List.of(Map.entry("/b", 5L), Map.entry("/a", 1L)),
                List.copyOf(RecentLosses.counts(recent.failures(), RecentLosses.Loss::application)
                        .entrySet()));
        assertEquals(2, RecentLosses.count(recent.refusals()));
        assertEquals(1, RecentLosses.count(recent.notableRefusals()));
    }

    @Test
    void refusedRequestsAreRemovedIfTheClockIsSetBack() {
        scan();
        metrics.refused("c1", 503, Key.QUEUE.id());
        scan();
        assertEquals(List.of(), recentAfter(-3_600_000), "events with a time in the future must be removed");
    }

    /** The scans stop while no browser shows the flow board, and restart when an operator opens the flow board. */
    @Test
    void refusedRequestsBeforeARestartOfTheScansAreNotShown() {
        scan();
        metrics.refused("c1", 503, Key.QUEUE.id());
        scan();
        incidents.restart();
        scan();
        assertEquals(List.of(), incidents.recent().all());
    }

    @Test
    void theNounInAMessageIsSingularIfTheLimitIsOne() {
        Configuration one = new ConfigurationSources()
                .flag(Key.REQUEST_RATE, "1", new Origin.Code())
                .flag(Key.MAX_CONNECTIONS_ADDRESS, "1", new Origin.Code())
                .resolve();
        Words words = new Words(one);
        assertEquals("one address sent more than 1 request a second", words.of(429, Key.REQUEST_RATE.id()));
        assertEquals("one address had 1 connection", words.of(0, Key.MAX_CONNECTIONS_ADDRESS.id()));
    }

    @Test
    void theListOfMessagesHasAtMostTwelveEntries() {
        scan();
        for (Key key : Key.values()) {
            metrics.refused("c1", 500, key.id());
        }
        assertEquals(12, scan().size());
    }
}
