package io.penstock.server;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests that a blocked periodic task does not block the scheduler. */
final class OnWorkerTest {

    @Test
    void aBlockedTaskOccupiesOneWorkerAndDoesNotBlockTheScheduler() throws Exception {
        CountDownLatch disk = new CountDownLatch(1);
        CountDownLatch later = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        Set<String> threads = ConcurrentHashMap.newKeySet();
        try (WireServer server = WireServer.with(new WireConfig().workers(2), new Site())) {
            OnWorker hangs = new OnWorker(server.transport.queue(), "a look", () -> {
                threads.add(Thread.currentThread().getName());
                begun.incrementAndGet();
                try {
                    disk.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            hangs.run();
            await().until(() -> begun.get() == 1);
            for (int i = 0; i < 10; i++) {
                // The task is still running. The call must return at once, because the scheduler must not wait.
                hangs.run();
            }
            new OnWorker(server.transport.queue(), "another", later::countDown).run();
            // The second worker is free, and runs the second task.
            later.await();
            assertEquals(1, begun.get());
            disk.countDown();
            await().until(() -> {
                hangs.run();
                return begun.get() >= 2;
            });
        }
        assertTrue(threads.stream().allMatch(name -> name.startsWith("worker-")), threads::toString);
    }

    @Test
    void aTaskCanRunAgainAfterItHasFailed() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        try (WireServer server = WireServer.with(new WireConfig().workers(1), new Site())) {
            OnWorker fails = new OnWorker(server.transport.queue(), "a look", () -> {
                begun.incrementAndGet();
                throw new IllegalStateException("on purpose");
            });
            await().until(() -> {
                fails.run();
                return begun.get() >= 2;
            });
        }
    }
}
