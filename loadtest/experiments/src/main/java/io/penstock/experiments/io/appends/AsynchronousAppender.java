package io.penstock.experiments.io.appends;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Passes each record to the channel's pool and does not wait for it, except when it closes.
 *
 * <p>Thread: one appends and closes; the pool's threads complete. With caller-runs, the appending thread completes too.
 *
 * <p>Owns: the channel, and the pool if it has one of its own.
 */
final class AsynchronousAppender implements Appender {
    private final AsynchronousFileChannel channel;
    private final @Nullable ExecutorService pool;
    private final Completion completion = new Completion();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Unfinished unfinished = new Unfinished();
    private long accepted;

    AsynchronousAppender(AsynchronousFileChannel channel, @Nullable ExecutorService pool) {
        this.channel = channel;
        this.pool = pool;
    }

    @Override
    public void append() {
        long number = accepted + 1;
        unfinished.one();
        write(new Write(Records.encode(number), Records.position(number)));
        accepted = number;
    }

    private void write(Write write) {
        channel.write(write.bytes(), write.position() + write.bytes().position(), write, completion);
    }

    @Override
    public long accepted() {
        return accepted;
    }

    @Override
    public void closeAndWait() throws IOException, InterruptedException {
        try {
            unfinished.awaitNone();
            channel.force(true);
        } finally {
            closePlainly();
        }
        Throwable first = failure.get();
        if (first != null) {
            throw new IOException("a record could not be written: " + first.getMessage(), first);
        }
    }

    @Override
    public void closePlainly() throws IOException {
        channel.close();
        if (pool != null) {
            pool.shutdown();
        }
    }

    /** One record whose write is not complete. */
    private record Write(ByteBuffer bytes, long position) {}

    private final class Completion implements CompletionHandler<Integer, Write> {
        @Override
        public void completed(Integer written, Write write) {
            if (write.bytes().hasRemaining()) {
                write(write);
            } else {
                unfinished.oneLess();
            }
        }

        @Override
        public void failed(Throwable cause, Write write) {
            failure.compareAndSet(null, cause);
            unfinished.oneLess();
        }
    }
}
