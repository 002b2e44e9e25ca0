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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nobody is ever told what another has said: very many clients, each request with a token of its own in path, query, header, cookie and
 * body; quick, slow and leaving; buffered, streamed, spooled, chunked, in parts, asynchronous and failing. With assertions on, as tests
 * are, buffers are poisoned when they are released.
 *
 * <p>By system properties: {@code penstock.soak.connections}, {@code penstock.soak.seconds}, {@code penstock.soak.seed}.
 */
class MixUpSoakTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** Levels that clients do not change, or that stay when they have gone: workers that rest, sessions, kept files. */
    private static final Set<String> SETTINGS = Set.of(
            "workers",
            "pipe-budget",
            "tls-budget",
            "head-budget",
            "spool-limit",
            "spool-threads",
            "workers-idle",
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

    /** Small where something is to run full now and then: pipes, memory, the disk's queue, what one response may have there. */
    private Penstock server(SoakSite site) throws StartException {
        // All clients are moved by one thread: among thousands, one that reads a large answer by few bytes at a time
        // looks idle for long.
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
                .set("overload-after", "0s") // all want to be served, however late
                .set("linger-timeout", patience)
                .temporary(temporary)
                .context("/", site::define)
                .start();
    }

    @Test
    void noClientGetsDataOfAnotherAndNothingIsLeft() throws Exception {
        warmUp();
        Footprint before = Footprint.now();
        try (SoakSite site = new SoakSite(uploads)) {
            Penstock server = server(site);
            try {
                Tally tally = run(server);
                assertEquals("", tally.missing(), () -> "not served at all, " + summary(tally));
                assertTrue(tally.abortedCount() > 0, () -> summary(tally));
                assertEquals("", tally.cutOffBut(site.excuses()), () -> "cut off for no reason, " + summary(tally));
                assertTrue(site.lateWritesRefused() > 0, () -> summary(tally));
                assertNothingIsHeld(server);
                assertTrue(server.counters().get("spool-files") > 0, () -> summary(tally));
            } finally {
                server.close();
            }
            assertEquals(List.of(), List.copyOf(site.problems()), this::repetition);
        }
        assertNothingIsLeft(before);
    }

    private Tally run(Penstock server) throws IOException {
        try {
            return new Crowd(server.address(), connections, seed).run(time, PATIENCE);
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "; " + repetition() + "\n" + server.dump(), e);
        }
    }

    private String summary(Tally tally) {
        return tally + "; " + repetition();
    }

    private String repetition() {
        return "again with -Dpenstock.soak.seed=" + seed;
    }

    /** All clients have gone: the server notices, and then holds nothing for anybody. */
    private void assertNothingIsHeld(Penstock server) {
        await(repetition()).untilAsserted(() -> {
            Map<String, Long> levels = server.gauges();
            levels.keySet().removeAll(SETTINGS);
            levels.values().removeIf(level -> level == 0);
            assertEquals(Map.of(), levels);
            assertEquals(0, server.transport().heldByHeads());
        });
    }

    private void assertNothingIsLeft(Footprint before) throws IOException {
        await(repetition()).untilAsserted(() -> assertEquals("", Footprint.now().grownSince(before)));
        for (Path folder : List.of(spool, temporary, uploads)) {
            try (Stream<Path> left = Files.list(folder)) {
                assertEquals(List.of(), left.toList(), this::repetition);
            }
        }
    }

    /** What the JDK opens once, it opens here. */
    private void warmUp() throws Exception {
        try (SoakSite site = new SoakSite(uploads);
                Penstock server = server(site)) {
            new Crowd(server.address(), 8, seed).run(Duration.ofMillis(300), PATIENCE);
        }
    }
}
