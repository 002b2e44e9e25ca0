package io.penstock.experiments.io.appends;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Appends records with an {@link AsynchronousFileChannel}. It passes each record to the thread pool of the channel. Only {@link
 * #closeAndWait} waits until the records are written.
 *
 * <p>Thread: one thread appends and closes; threads of the pool call the completion handler. With the caller-runs policy, the appending
 * thread also calls the completion handler.
 *
 * <p>Owns: the channel, and the thread pool if it is not the default group.
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

    /** A record that is not completely written, and its position in the file. */
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
