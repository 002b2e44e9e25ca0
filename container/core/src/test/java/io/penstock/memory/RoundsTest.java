package io.penstock.memory;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests {@link Rounds}, which runs an action again and again. Each run is called a round. If a round throws an exception or an error,
 * the next round must follow.
 */
final class RoundsTest {

    /** An exception or error that a round throws. */
    enum Thrown {
        NO_HEAP(new OutOfMemoryError("Java heap space, simulated")),
        NO_THREAD(new OutOfMemoryError("unable to create native thread, simulated")),
        NO_STACK(new StackOverflowError("simulated")),
        INTERNAL(new InternalError("simulated")),
        MISSING(new NoClassDefFoundError("simulated/MissingClass")),
        MISTAKE(new IllegalStateException("simulated")),
        UNLOGGABLE(new UnloggableError());

        private final Throwable error;

        Thrown(Throwable error) {
            this.error = error;
        }

        void throwIt() {
            if (error instanceof Error fatal) {
                throw fatal;
            }
            throw (RuntimeException) error;
        }
    }

    /** An error that the log cannot write, because the methods of the error throw errors themselves. */
    private static final class UnloggableError extends OutOfMemoryError {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new OutOfMemoryError("simulated again");
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new OutOfMemoryError("simulated again");
        }

        @Override
        public String toString() {
            throw new OutOfMemoryError("simulated again");
        }
    }

    private final Rounds rounds = Rounds.unwatched();

    @ParameterizedTest
    @EnumSource(Thrown.class)
    void roundsContinueAfterEachError(Thrown thrown) {
        AtomicInteger done = new AtomicInteger();
        rounds.repeat("A round failed", () -> done.get() < 5, () -> {
            done.incrementAndGet();
            thrown.throwIt();
        });
        assertEquals(5, done.get());
    }

    @ParameterizedTest
    @EnumSource(Thrown.class)
    void errorsInAPartOfARoundAreCaught(Thrown thrown) {
        rounds.contain("A part failed", thrown::throwIt);
    }

    @Test
    void anErrorInTheActionOfTheMemoryWatchIsCaught() {
        Rounds watched = new Rounds(new MemoryWatch(
                () -> {
                    throw new OutOfMemoryError("simulated");
                },
                () -> 0,
                () -> true));
        for (int i = 0; i < 4; i++) {
            watched.contain("A part failed", Thrown.NO_HEAP::throwIt);
        }
        assertTrue(watched.memory().isShort());
    }

    /** The pool's only thread ends with an error. For some time, no new thread can start. */
    @Test
    void theDeadThreadOfAPoolIsReplacedWhenThreadsAreAvailableAgain() throws Exception {
        AtomicBoolean none = new AtomicBoolean();
        AtomicInteger refused = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.HOURS, new LinkedBlockingQueue<>());
        pool.setThreadFactory(work -> {
            if (none.get()) {
                refused.incrementAndGet();
                throw new OutOfMemoryError("unable to create native thread, simulated");
            }
            return new Thread(() -> rounds.workFor(pool, "The pool's thread failed", work), "pool");
        });
        CountDownLatch tasksSubmitted = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        try {
            pool.execute(() -> {
                try {
                    tasksSubmitted.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                none.set(true);
                Thrown.NO_HEAP.throwIt(); // ends the thread of the pool
            });
            pool.execute(done::countDown);
            tasksSubmitted.countDown();
            await().until(() -> refused.get() > 1);
            assertEquals(1, done.getCount());
            none.set(false);
            assertTrue(done.await(60, TimeUnit.SECONDS));
        } finally {
            pool.shutdownNow();
        }
    }
}
