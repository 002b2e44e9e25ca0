package io.penstock.work;

import static io.penstock.PromptWaits.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.memory.MemoryWatch;
import io.penstock.memory.Rounds;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that a worker continues after a job that throws an error, even an OutOfMemoryError. */
final class FailedJobTest {
    private static final int MANY = 5;

    private final AtomicInteger counted = new AtomicInteger();
    private final MemoryWatch memory = new MemoryWatch(() -> {});
    private final RequestQueue queue = new RequestQueue(100, 1);
    private final Workers workers = new Workers(queue, 1, "", new Rounds(memory));

    @AfterEach
    void end() throws InterruptedException {
        workers.stop(PATIENCE);
    }

    private static List<Thread> threads(Workers workers) {
        return workers.doing().stream().map(Workers.Doing::thread).toList();
    }

    private interface Doing extends Job {
        @Override
        default void abandon() {
            throw new AssertionError("abandoned");
        }
    }

    @Test
    void theWorkerRunsTheNextJobAfterAnOutOfMemoryError() throws Exception {
        memory.whenCounted(counted::incrementAndGet);
        workers.start();
        List<Thread> before = threads(workers);
        CountDownLatch done = new CountDownLatch(1);
        for (int i = 0; i < MANY; i++) {
            queue.offer((Doing) () -> {
                throw new OutOfMemoryError("thrown by the test");
            });
        }
        queue.offer((Doing) done::countDown);
        assertTrue(done.await(PATIENCE.toSeconds(), TimeUnit.SECONDS), "the worker did not run the last job");
        assertEquals(before, threads(workers));
        assertEquals(MANY, counted.get());
    }
}
