package io.penstock.exchange;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.CloseCause;
import io.penstock.events.ConnectionEvents;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Reactor;
import io.penstock.time.Clock;
import io.penstock.work.Job;
import io.penstock.work.RequestQueue;
import io.penstock.work.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An idle worker sends a file to a fast client. When the worker stops, the reactor sends the remaining bytes. */
final class FileSendingTest {
    /** The number of bytes of a file that one call of {@code reactorFlush()} sends. */
    private static final int PART = 256 * 1024;

    private static final int SIZE = 10 * PART;

    private final SegmentPool pool = new SegmentPool(1024, 100 * 1024);
    private final ResponsePipe pipe = new ResponsePipe(pool, 4096);
    private final SimulatedLink link = new SimulatedLink();
    private final LinkWriter out = new LinkWriter(pipe, link, LinkWriter.Files.AT_ONCE);
    private final RequestQueue queue = new RequestQueue(10, 1);
    private final Workers workers = new Workers(queue, 1, "", Rounds.unwatched());
    private final FileSending sending = new FileSending(out, link, queue);
    private final byte[] content = new byte[SIZE];

    /** A job that runs the given task. */
    private record Task(Runnable task) implements Job {
        @Override
        public void run() {
            task.run();
        }

        @Override
        public void abandon() {}
    }

    @TempDir
    private Path folder;

    @BeforeEach
    void addFile() throws Exception {
        new Random(1).nextBytes(content);
        link.reactor = new Reactor(
                "reactor-of-a-test",
                Clock.SYSTEM,
                ConnectionEvents.NONE,
                new Counters(),
                1024,
                Rounds.unwatched(),
                queue::wakeChosen);
        link.reactor.start();
        pipe.append(FileChannel.open(Files.write(folder.resolve("file"), content)), 0, SIZE, () -> {});
    }

    @AfterEach
    void end() throws Exception {
        workers.stop(Duration.ofSeconds(10));
        pipe.fail(new IOException("end of the test"));
        link.reactor.stop();
        link.reactor.join();
    }

    private <T> T onReactor(Callable<T> task) throws Exception {
        FutureTask<T> run = new FutureTask<>(task);
        link.reactor.execute(run);
        return run.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void startWorker() {
        workers.start();
        await().atMost(PATIENCE).until(this::isIdle);
    }

    /** Returns whether a worker is idle. If a worker is idle, the worker gets a job that does nothing. */
    private boolean isIdle() {
        boolean taken = queue.offerToIdle(new Task(() -> {}));
        queue.wakeChosen();
        return taken;
    }

    /**
     * Lets the reactor send one part of the file. If possible, the reactor then hands the file over to a worker. Returns whether a worker
     * has the file.
     */
    private boolean sendPartAndHandOver() throws Exception {
        return onReactor(() -> !out.reactorFlush() && out.reactorMayHandOver() && sending.handOver());
    }

    /** Lets the reactor send the remaining bytes, one part after the other. */
    private void flushAll() throws Exception {
        boolean empty = false;
        while (!empty) {
            empty = onReactor(out::reactorFlush);
        }
    }

    /** Waits until the worker is idle, and then hands the file over to the worker. */
    private void awaitHandOver() {
        await().atMost(PATIENCE).until(() -> onReactor(sending::handOver));
    }

    private void awaitEndOfSending() {
        await().atMost(PATIENCE).until(() -> !sending.isUnderWay() && link.signals == LinkWriter.STALLED);
    }

    @Test
    void theWorkerSendsTheWholeFileToAFastClient() throws Exception {
        startWorker();
        link.room = Long.MAX_VALUE / 2;
        assertFalse(onReactor(out::reactorFlush));
        awaitHandOver();
        awaitEndOfSending();
        assertTrue(onReactor(out::reactorFlush), "the pipe still contains bytes of the file");
        assertArrayEquals(content, link.taken.toByteArray());
    }

    @Test
    void theWorkerStopsWhenTheClientIsTooSlow() throws Exception {
        startWorker();
        link.room = Long.MAX_VALUE / 2;
        assertFalse(onReactor(out::reactorFlush));
        int before = link.count();
        link.room = 2 * PART + 5;
        awaitHandOver();
        awaitEndOfSending();
        assertEquals(before + 2 * PART + 5, link.count());
        link.takeSignals();
        link.room = 10;
        assertFalse(sendPartAndHandOver(), "the reactor handed the file over although the client is slow");
        link.room = Long.MAX_VALUE / 2;
        flushAll();
        assertArrayEquals(content, link.taken.toByteArray());
        assertEquals(0, link.signals);
    }

    @Test
    void theReactorSendsTheFileIfNoWorkerIsIdle() throws Exception {
        link.room = Long.MAX_VALUE / 2;
        assertFalse(sendPartAndHandOver());
        assertFalse(sending.isUnderWay());
        assertEquals(0, link.signals);
        assertEquals(PART, link.count());
    }

    @Test
    void theWorkerStopsWhenAnotherJobWaits() throws Exception {
        startWorker();
        link.room = Long.MAX_VALUE / 2;
        CountDownLatch ran = new CountDownLatch(1);
        assertFalse(onReactor(out::reactorFlush));
        await().atMost(PATIENCE)
                .until(() -> onReactor(() -> {
                    boolean handedOver = sending.handOver();
                    // The reactor wakes the worker only after this lambda has returned. So the job that counts down
                    // "ran" is in the queue before the worker begins.
                    if (handedOver) {
                        queue.offerOneOfMany(new Task(ran::countDown));
                    }
                    return handedOver;
                }));
        assertTrue(ran.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
        assertFalse(sending.isUnderWay());
        assertEquals(LinkWriter.STALLED, link.signals);
        assertEquals(2 * PART, link.count());
    }

    @Test
    void theNextResponseIsSentAfterTheFile() throws Exception {
        startWorker();
        link.room = Long.MAX_VALUE / 2;
        assertFalse(onReactor(out::reactorFlush));
        pipe.appendWhole(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        // This call sends no bytes, since the reactor still has the right to write (the write token).
        out.workerFlush();
        awaitHandOver();
        awaitEndOfSending();
        assertTrue(onReactor(out::reactorFlush));
        byte[] expected = Arrays.copyOf(content, SIZE + 3);
        expected[SIZE] = 1;
        expected[SIZE + 1] = 2;
        expected[SIZE + 2] = 3;
        assertArrayEquals(expected, link.taken.toByteArray());
    }

    @Test
    void noMoreBytesAreSentAfterTheConnectionIsClosed() throws Exception {
        startWorker();
        link.room = Long.MAX_VALUE / 2;
        assertFalse(onReactor(out::reactorFlush));
        out.onClosed(new ConnectionClosed(CloseCause.CLIENT_RESET));
        awaitHandOver();
        awaitEndOfSending();
        assertEquals(PART, link.count());
    }

    @Test
    void theReactorSendsTheRemainingBytesIfTheWorkersHaveStopped() throws Exception {
        startWorker();
        link.room = Long.MAX_VALUE / 2;
        assertFalse(onReactor(out::reactorFlush));
        queue.close();
        assertFalse(onReactor(sending::handOver));
        sending.abandon(); // the server does this if the workers stop before one of them sends the file
        assertEquals(LinkWriter.STALLED, link.signals);
        flushAll();
        assertArrayEquals(content, link.taken.toByteArray());
    }
}
