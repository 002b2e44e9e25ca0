package io.penstock.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.exchange.ResponseSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A response body that several threads may use: a {@link ResponseBody} behind a write lock.
 *
 * <p>Thread: any. A thread that writes holds the write lock, even while it waits for the client. Other threads of the application wait for
 * the lock before they write. The container never waits for the lock. The container reads {@link BodyState} and calls {@link #abort}
 * without the lock. Before a write, the container tries to {@link #take} the lock. If another thread holds the lock, the container
 * continues in a job of the exchange when the lock is released.
 */
final class ResponseBuffer implements ByteTarget {

    /** The threads that may begin to write. */
    private enum Writers {
        ALL,
        /**
         * The container continues the response. Only the container's current thread may write: this thread can call listeners of the
         * application, and the listeners can write.
         */
        CONTAINER
    }

    /** An operation that runs under the write lock. */
    @FunctionalInterface
    private interface Operation<E extends Exception> {
        void on(ResponseBody body) throws E;
    }

    private static final AtomicReferenceFieldUpdater<ResponseBuffer, @Nullable Runnable> ON_RELEASE =
            AtomicReferenceFieldUpdater.newUpdater(ResponseBuffer.class, Runnable.class, "onRelease");

    private final ResponseSink sink;
    private final BodyState state;
    private final Callbacks callbacks;
    private final ReentrantLock writeLock = new ReentrantLock();

    @GuardedBy("writeLock")
    private final ResponseBody body;

    private volatile @Nullable Runnable onRelease;
    private volatile Writers writers = Writers.ALL;
    private volatile @Nullable Thread container;

    /** @param callbacks runs the container's actions after a release of the lock, as jobs of the exchange */
    ResponseBuffer(
            ResponseSink sink, ResponseBody.HeadSource head, BodyState state, int capacity, Callbacks callbacks) {
        this.sink = sink;
        this.state = state;
        this.callbacks = callbacks;
        this.body = new ResponseBody(sink, head, state, capacity);
    }

    // ---- the write lock

    /**
     * Runs {@code operation} under the write lock. If the operation throws, {@link ResponseBody#failed} decides whether the response fails.
     * An illegal call does not change the response.
     */
    private <E extends Exception> void locked(Operation<E> operation) throws E {
        writeLock.lock();
        runAndRelease(operation);
    }

    /** Runs {@code operation} under the write lock that the caller has taken. Then releases the lock. */
    private <E extends Exception> void runAndRelease(Operation<E> operation) throws E {
        try {
            operation.on(body);
        } catch (Exception e) {
            body.failed(e);
            throw e;
        } finally {
            writeLock.unlock();
            released();
        }
    }

    private <R> R ask(Function<ResponseBody, R> question) {
        writeLock.lock();
        try {
            return question.apply(body);
        } finally {
            writeLock.unlock();
            released();
        }
    }

    /**
     * Takes the write lock for the container and returns true, if no thread is writing. If a thread is writing, returns false, and {@code
     * whenReleased} runs as a job of the exchange when the lock is released. In this case no other thread may begin a write until {@link
     * #admitWriters}. Without this rule, a thread that writes without a pause could take the lock again before the container does.
     */
    boolean take(Runnable whenReleased) {
        if (!take()) {
            writers = Writers.CONTAINER;
            onRelease = whenReleased;
            if (!take()) {
                // The thread that releases the lock reads onRelease afterwards, so whenReleased will run.
                return false;
            }
            if (!ON_RELEASE.compareAndSet(this, whenReleased, null)) {
                // Between the two attempts another thread has released the lock and has enqueued whenReleased.
                writeLock.unlock();
                return false;
            }
        }
        return true;
    }

    /** Whether no thread is writing. If a thread is writing, {@code whenReleased} runs later, as in {@link #take(Runnable)}. */
    boolean isIdle(Runnable whenReleased) {
        if (writers == Writers.ALL && !writeLock.isLocked()) {
            return true;
        }
        if (!take(whenReleased)) {
            return false;
        }
        giveBack();
        return true;
    }

    /** Takes the write lock for the container, if no thread is writing. */
    boolean take() {
        if (!writeLock.tryLock()) {
            return false;
        }
        container = Thread.currentThread();
        return true;
    }

    /** Releases the write lock after {@link #take}. */
    void giveBack() {
        writeLock.unlock();
        released();
    }

    /** Called before the application is called again for this response. All threads of the application may write again. */
    void admitWriters() {
        writers = Writers.ALL;
    }

    /** Called after each release of the lock. Enqueues the container's action that waits for this release, if there is one. */
    private void released() {
        if (writeLock.isHeldByCurrentThread()) {
            // This is a nested call, so the thread still holds the lock.
            return;
        }
        releaseIfAborted();
        // The plain read avoids an atomic write: a servlet that writes byte by byte calls this method for each byte.
        Runnable action = onRelease == null ? null : ON_RELEASE.getAndSet(this, null);
        if (action != null) {
            callbacks.resume(action);
        }
    }

    /**
     * Aborts the response for the container. The client notices that the response is incomplete. If a thread waits for the client in a
     * write, this thread is woken.
     */
    void abort(Throwable cause) {
        state.abort(cause);
        sink.abort(cause);
        releaseIfAborted();
    }

    private void releaseIfAborted() {
        if (!state.isAborted() || !writeLock.tryLock()) {
            // If another thread holds the lock, that thread makes the same check after it has released the lock.
            return;
        }
        try {
            body.release();
        } finally {
            writeLock.unlock();
        }
    }

    // ---- the application

    // Operations that most responses use, or that run for each byte, do not call locked(): the lambda would be a new
    // object for each call.

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        writeLock.lock();
        try {
            checkWriter();
            body.write(source, offset, length);
        } catch (IOException | RuntimeException e) {
            body.failed(e);
            throw e;
        } finally {
            writeLock.unlock();
            released();
        }
    }

    @Override
    public void write(int b) throws IOException {
        writeLock.lock();
        try {
            checkWriter();
            body.write(b);
        } catch (IOException | RuntimeException e) {
            body.failed(e);
            throw e;
        } finally {
            writeLock.unlock();
            released();
        }
    }

    /** Declares the length of the body. */
    void declare(long length) throws IOException {
        writeLock.lock();
        try {
            body.declare(length);
        } catch (IOException | RuntimeException e) {
            body.failed(e);
            throw e;
        } finally {
            writeLock.unlock();
            released();
        }
    }

    @Override
    public void write(ByteBuffer source) throws IOException {
        locked(bytes -> {
            checkWriter();
            bytes.write(source);
        });
    }

    private void checkWriter() throws IOException {
        if (writers == Writers.CONTAINER && Thread.currentThread() != container && !state.isAborted()) {
            throw new RefusedWriteException(
                    "The container continues with the response: complete() or dispatch() has been called", null);
        }
    }

    /**
     * Writes part of a file without copying its bytes into the buffer. Allowed only before any other write. The sink closes the channel.
     */
    void write(FileChannel file, long position, long count) throws IOException {
        locked(bytes -> bytes.write(file, position, count));
    }

    /** Commits the response, and sends all bytes that have been written so far. */
    @Override
    public void flush() throws IOException {
        locked(ResponseBody::flush);
    }

    /** Closes the body for the application. The whole body is sent, and further writes are refused. */
    @Override
    public void close() throws IOException {
        locked(ResponseBody::close);
    }

    /** Completes the body with the bytes that have been written; further bytes are ignored. The body is sent when the exchange ends. */
    void end() throws IOException {
        locked(ResponseBody::end);
    }

    /**
     * Ends the response, sends the held bytes, and releases the lock that the caller has taken. Must not be called while a non-blocking
     * write is pending.
     */
    void complete() throws IOException {
        runAndRelease(ResponseBody::complete);
    }

    /**
     * Drops the held bytes.
     *
     * @throws IllegalStateException if the head has been handed over
     */
    void reset() {
        locked(ResponseBody::reset);
    }

    /**
     * Drops the held bytes, and ignores further bytes. Used by {@code sendError}.
     *
     * @throws IllegalStateException if the head has been handed over
     */
    void suspend() {
        locked(ResponseBody::suspend);
    }

    @Override
    public PendingWrites nonBlocking() {
        return ask(ResponseBody::nonBlocking);
    }

    long declared() {
        return ask(ResponseBody::declared);
    }

    void undeclare() {
        locked(ResponseBody::undeclare);
    }

    void resize(int size) {
        locked(bytes -> bytes.resize(size));
    }

    int capacity() {
        return ask(ResponseBody::capacity);
    }
}
