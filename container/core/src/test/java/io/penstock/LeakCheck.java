package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.metrics.Gauge;
import io.penstock.soak.Footprint;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Checks for leaks. When all clients have disconnected, the server must hold no resources for clients. When the server has stopped, the
 * process must not have more descriptors or threads than before the test.
 */
public final class LeakCheck implements BeforeEachCallback, AfterEachCallback {
    private static final List<Gauge> HELD_FOR_CLIENTS = List.of(
            Gauge.CONNECTIONS,
            Gauge.CONNECTIONS_TURNED_AWAY,
            Gauge.QUEUED,
            Gauge.WORKERS_BUSY,
            Gauge.WORKERS_STREAMING,
            Gauge.WORKERS_SPOOLING,
            Gauge.PIPE_BYTES,
            Gauge.HEAD_BYTES,
            Gauge.PARSED_BYTES,
            Gauge.BODIES_STARVING,
            Gauge.COMPRESSORS,
            Gauge.SPOOL_BYTES,
            Gauge.SPOOL_FILES_OPEN,
            Gauge.SPOOL_PENDING);

    private static @Nullable Footprint ofTheSystem;

    private Footprint before;

    @Override
    public void beforeEach(ExtensionContext test) throws Exception {
        openLongLivedResourcesOfTheJdk();
        before = Footprint.now();
    }

    /**
     * Opens the files and sockets that the JDK opens only once. Otherwise these files and sockets would count as leaks of the first test.
     */
    private static synchronized void openLongLivedResourcesOfTheJdk() throws StartException, IOException {
        if (ofTheSystem == null) {
            try (Penstock first = Penstock.builder().host("127.0.0.1").port(0).start()) {
                RawExchange.get(first, "/");
            }
            // SecureRandom opens files at its first use, and not every server uses SecureRandom.
            new SecureRandom().nextInt();
            ofTheSystem = Footprint.now();
        }
    }

    /** Waits until the server holds no resources for its clients. All clients must have closed their connections. */
    void awaitIn(Penstock server) {
        await().untilAsserted(() -> {
            for (Gauge gauge : HELD_FOR_CLIENTS) {
                assertEquals(0L, server.gauges().get(gauge.id()), gauge.id());
            }
        });
    }

    /** Runs after the test has closed its server. */
    @Override
    public void afterEach(ExtensionContext test) {
        await().untilAsserted(() -> assertEquals("", Footprint.now().grownSince(before)));
    }
}
