package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.soak.Crowd;
import io.penstock.soak.Footprint;
import io.penstock.soak.SoakSite;
import io.penstock.soak.Tally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that no client gets data of another client. Many clients send requests at the same time. Each request has a unique token in its
 * path, query, header, cookie and body. Some clients are slow, and some clients disconnect early. Responses are buffered, streamed, stored
 * on disk, chunked, multipart or asynchronous, and some requests fail. Assertions are enabled in tests, so the server overwrites released
 * buffers. If a response contains bytes of a released buffer, the client detects the wrong bytes.
 *
 * <p>The system properties {@code penstock.soak.connections}, {@code penstock.soak.seconds} and {@code penstock.soak.seed} configure the
 * test.
 */
class MixUpSoakTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /**
     * Gauges that need not be 0 after all clients have disconnected. Examples are configured limits, idle workers, sessions and cached
     * files.
     */
    private static final Set<String> IGNORED_GAUGES = Set.of(
            "workers",
            "pipe-budget",
            "tls-budget",
            "head-budget",
            "parsed-budget",
            "spool-limit",
            "spool-threads",
            "workers-idle",
            "workers-started",
            "sessions",
            "file-cache-bytes");

    private final int connections = Integer.getInteger("penstock.soak.connections", 300);
    private final Duration time = Duration.ofSeconds(Integer.getInteger("penstock.soak.seconds", 5));
    private final long seed = Long.getLong("penstock.soak.seed", System.nanoTime());

    @TempDir
    Path spool;

    @TempDir
    Path temporary;

    @TempDir
    Path uploads;

    /**
     * Starts a server with some small limits, so that clients sometimes reach the limits. The small limits are the size of the buffer
     * between client and worker (pipe), the memory for all buffers, the number of waiting disk writes, and the disk space for one response.
     */
    private Penstock server(SoakSite site) throws StartException {
        // One thread runs all clients. So a client that reads a large response in small pieces can be idle for a long
        // time, and the timeouts of the server must be long.
        String patience = time.multipliedBy(2).plus(PATIENCE).toSeconds() + "s";
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(16)
                .reactors(2)
                .queue(8 * connections)
                .set("max-connections", Integer.toString(2 * connections))
                .set("send-buffer", "16K")
                .set("pipe-capacity", "16K")
                .set("pipe-segment", "4K")
                .set("pipe-budget", Math.max(1_000, 8 * connections) + "K")
                .set("spool-dir", spool.toString())
                .set("spool-queue", "8")
                .set("response-spool-limit", "1M")
                .set("body-stall-timeout", patience)
                .set("head-timeout", patience)
                .set("keep-alive-timeout", patience)
                .set("write-stall-timeout", patience)
                .set("overload-after", "0s") // only queue and queue-age limit the queue
                .set("linger-timeout", patience)
                .temporary(temporary)
                .context("/", site::define)
                .start();
    }

    @Test
    void noClientGetsDataOfAnotherClientAndNoResourceLeaks() throws Exception {
        warmUp();
        Footprint before = Footprint.now();
        try (SoakSite site = new SoakSite(uploads)) {
            Penstock server = server(site);
            try {
                Tally tally = run(server, site);
                assertEquals("", tally.missing(), () -> "some kinds of requests were never served, " + summary(tally));
                assertTrue(tally.abortedCount() > 0, () -> summary(tally));
                assertEquals(
                        "",
                        tally.cutOffExcept(site.excuses()),
                        () -> "responses were cut off without a reason, " + summary(tally));
                assertTrue(site.lateWritesRefused() > 0, () -> summary(tally));
                assertNoResourcesAreHeldForClients(server);
                assertTrue(server.counters().get("spool-files") > 0, () -> summary(tally));
            } finally {
                server.close();
            }
            assertEquals(List.of(), List.copyOf(site.problems()), this::repetition);
        }
        assertNoLeaks(before);
    }

    private Tally run(Penstock server, SoakSite site) throws IOException {
        Predicate<Tally> enough = tally -> tally.missing().isEmpty()
                && tally.abortedCount() > 0
                && site.lateWritesRefused() > 0
                && server.counters().get("spool-files") > 0;
        try {
            return new Crowd(server.address(), connections, seed).run(time, enough, PATIENCE);
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "; " + repetition() + "\n" + server.dump(), e);
        }
    }

    private String summary(Tally tally) {
        return tally + "; " + repetition();
    }

    private String repetition() {
        return "run again with -Dpenstock.soak.seed=" + seed;
    }

    /** Waits until the server has detected the disconnect of all clients and holds no resources for clients. */
    private void assertNoResourcesAreHeldForClients(Penstock server) {
        await(repetition()).untilAsserted(() -> {
            Map<String, Long> levels = server.gauges();
            levels.keySet().removeAll(IGNORED_GAUGES);
            levels.values().removeIf(level -> level == 0);
            assertEquals(Map.of(), levels);
            assertEquals(0, server.transport().heldByHeads());
        });
    }

    private void assertNoLeaks(Footprint before) throws IOException {
        await(repetition()).untilAsserted(() -> assertEquals("", Footprint.now().grownSince(before)));
        for (Path folder : List.of(spool, temporary, uploads)) {
            try (Stream<Path> left = Files.list(folder)) {
                assertEquals(List.of(), left.toList(), this::repetition);
            }
        }
    }

    /** Runs a few clients first. The JDK then opens its long-lived resources before the test counts the resources of the process. */
    private void warmUp() throws Exception {
        try (SoakSite site = new SoakSite(uploads);
                Penstock server = server(site)) {
            new Crowd(server.address(), 8, seed).run(Duration.ofMillis(300), tally -> true, PATIENCE);
        }
    }
}
