package io.penstock.server;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http1.RawClient;
import io.penstock.http1.RecordedEvents;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import io.penstock.limits.Counters;
import io.penstock.soak.Footprint;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that no threads, files or connections remain after an interrupted stop of the server, or after a failure of its constructor. */
final class InterruptedStopTest {
    @TempDir
    Path folder;

    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }

    /** Waits until the test counts the latch {@code go} down. Ignores interrupts. */
    private void waitUninterruptibly() {
        started.countDown();
        while (go.getCount() > 0) {
            Thread.interrupted();
            Thread.onSpinWait();
        }
    }

    private static void assertEnds(RawClient client) {
        try {
            client.rest();
        } catch (IOException e) {
            // A reset also ends the connection.
            assertFalse(e instanceof SocketTimeoutException, "the server has not closed the connection");
        }
    }

    @Test
    void anInterruptedStopFailsAtOnceButReleasesAllConnectionsAndFilesAndThreads() throws Exception {
        Set<Thread> before = Footprint.now().threads();
        Site site = new Site().on("/deaf", exchange -> waitUninterruptibly());
        WireServer server = WireServer.with(new WireConfig().spoolDirectory(folder), site);
        assertFalse(files().isEmpty());
        FutureTask<Boolean> stopping = new FutureTask<>(() -> {
            server.transport.stop(Duration.ofMinutes(1));
            return true;
        });
        Thread stopper = new Thread(stopping, "stopper");
        try (RawClient client = server.connect();
                RawClient idle = server.connect()) {
            client.send("GET /deaf HTTP/1.1\r\nHost: x\r\n\r\n");
            assertTrue(started.await(60, TimeUnit.SECONDS));
            server.settle();
            stopper.start();
            assertEnds(idle);
            while (stopper.isAlive()) {
                stopper.interrupt();
                Thread.onSpinWait();
            }
            ExecutionException ended = assertThrows(ExecutionException.class, () -> stopping.get(60, TimeUnit.SECONDS));
            assertInstanceOf(InterruptedException.class, ended.getCause());
            assertEnds(client);
            await().untilAsserted(() -> assertEquals(List.of(), files()));
        } finally {
            go.countDown();
        }
        server.awaitNothingHeld();
        await().untilAsserted(() -> {
            Set<Thread> left = new HashSet<>(Footprint.now().threads());
            left.removeAll(before);
            assertEquals(Set.of(), left);
        });
    }

    @Test
    void theSpoolFolderIsDeletedIfTheConstructorFails() throws IOException {
        RecordedEvents events = new RecordedEvents() {
            @Override
            public boolean followsRequests() {
                throw new IllegalStateException("on purpose");
            }
        };
        Site site = new Site();
        WireConfig config = new WireConfig().spoolDirectory(folder);
        assertThrows(
                IllegalStateException.class,
                () -> new Transport(config.toConfig(), site, site, events, new Counters(), Transport.Options.alone()));
        assertEquals(List.of(), files());
    }
}
