package io.penstock.websocket.frame;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A transport that takes random numbers of bytes, often none. It fails if two threads write at the same time. Its jobs run on other threads.
 */
final class RandomRoom implements Transport {
    FrameConnection connection;
    private final Random random = new Random(7);
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final AtomicBoolean writing = new AtomicBoolean();
    private final AtomicInteger jobs = new AtomicInteger();

    /** Waits until no job runs and no frame waits. */
    void awaitQuiet() {
        while (jobs.get() > 0 || connection.queuedBytes() > 0) {
            Thread.onSpinWait();
        }
    }

    byte[] sent() {
        return sent.toByteArray();
    }

    @Override
    public void write(ByteBuffer head, ByteBuffer payload, boolean mayWait) {
        if (!writing.compareAndSet(false, true)) {
            throw new IllegalStateException("two threads write");
        }
        int room = random.nextInt(3) == 0 ? 0 : random.nextInt(200);
        room -= take(head, room);
        if (!head.hasRemaining()) {
            take(payload, room);
        }
        writing.set(false);
    }

    private int take(ByteBuffer from, int most) {
        byte[] taken = new byte[Math.min(from.remaining(), most)];
        from.get(taken);
        sent.writeBytes(taken);
        return taken.length;
    }

    @Override
    public boolean awaitRoom(long nanos) {
        return true;
    }

    @Override
    public void whenRoom(Runnable action) {
        work(action);
    }

    @Override
    public void work(Runnable action) {
        jobs.incrementAndGet();
        CompletableFuture.runAsync(() -> {
            action.run();
            jobs.decrementAndGet();
        });
    }

    @Override
    public void execute(Runnable job) {
        work(job);
    }

    @Override
    public Future<?> after(long millis, Runnable action) {
        return new CompletableFuture<>();
    }

    @Override
    public void close() {}

    @Override
    public void abort(Throwable cause) {
        throw new IllegalStateException(cause);
    }
}
