package io.penstock.spool;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.memory.ByteAccount;
import io.penstock.memory.Rounds;
import io.penstock.spool.SpoolFile.Appended;
import io.penstock.spool.SpoolThreads.Taken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the {@link Spool} when the operating system cannot start a thread. A write must then fail, and its place in the queue of writes
 * must become free. A closed file must release its bytes.
 */
final class NoThreadTest {
    @TempDir
    Path folder;

    private volatile boolean noThreadCanStart;
    private final Counters counters = new Counters();
    private final BlockingQueue<Optional<IOException>> results = new LinkedBlockingQueue<>();
    // The only thread of the pool ends as soon as it has no task. So a later write needs a new thread.
    private final ThreadPoolExecutor pool =
            new ThreadPoolExecutor(1, 1, 1, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), Refusable::new);
    private final SpoolThreads threads = new SpoolThreads(pool, 1, Rounds.unwatched());
    private Spool spool;

    /** A thread that cannot start while {@link #noThreadCanStart} is true. */
    private final class Refusable extends Thread {
        Refusable(Runnable task) {
            super(task, "spool-by-hand");
        }

        @Override
        public synchronized void start() {
            if (noThreadCanStart) {
                throw new InternalError("no thread, on purpose");
            }
            super.start();
        }
    }

    @BeforeEach
    void open() throws IOException {
        pool.allowCoreThreadTimeOut(true);
        spool = new Spool(SpoolFolder.create(folder), threads, new ByteAccount(100), counters);
    }

    @AfterEach
    void close() throws Exception {
        noThreadCanStart = false;
        spool.close();
    }

    private Appended append(SpoolFile file) {
        return file.append(
                new ByteBuffer[] {ByteBuffer.allocate(60)}, failure -> results.add(Optional.ofNullable(failure)));
    }

    private Optional<IOException> results() throws InterruptedException {
        Optional<IOException> next = results.poll(60, TimeUnit.SECONDS);
        assertNotNull(next, "the result of the write was not reported");
        return next;
    }

    private void awaitNoThread() {
        await().until(() -> pool.getPoolSize() == 0);
    }

    @Test
    void aWriteReleasesItsPlaceInTheQueueIfNoThreadCanStart() throws InterruptedException {
        noThreadCanStart = true;
        CountDownLatch never = new CountDownLatch(1);
        assertEquals(Taken.NO_THREAD, threads.offer(null, never::countDown));
        assertEquals(0, threads.pending());
        noThreadCanStart = false;
        CountDownLatch ran = new CountDownLatch(1);
        assertEquals(Taken.YES, threads.offer(null, ran::countDown));
        assertTrue(ran.await(60, TimeUnit.SECONDS));
        assertEquals(1, never.getCount());
    }

    @Test
    void aWriteFailsAndItsBytesAreReleasedIfNoThreadCanStart() throws InterruptedException {
        noThreadCanStart = true;
        SpoolFile file = spool.create(null);
        assertEquals(Appended.YES, append(file));
        assertTrue(results().isPresent());
        assertEquals(1, counters.value(Counter.SPOOL_FAILURES));
        file.close();
        assertEquals(0, spool.used());
        noThreadCanStart = false;
        SpoolFile next = spool.create(null);
        assertEquals(Appended.YES, append(next));
        assertTrue(results().isEmpty());
        next.close();
        await().until(() -> spool.used() == 0);
    }

    @Test
    void aFileCanBeClosedWhenNoThreadCanStart() throws InterruptedException {
        SpoolFile file = spool.create(null);
        append(file);
        assertTrue(results().isEmpty());
        awaitNoThread();
        noThreadCanStart = true;
        file.close();
        assertEquals(0, spool.files());
        assertEquals(0, spool.used());
    }
}
