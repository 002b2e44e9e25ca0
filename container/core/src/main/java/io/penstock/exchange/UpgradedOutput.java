package io.penstock.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.pipe.Segment;
import io.penstock.reactor.ConnectionClosed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The output of an upgraded connection. Its bytes have no framing. A writer waits for a slow client only when memory and disk are full,
 * like a writer of a response. A worker that waits for the client counts as streaming.
 *
 * <p>Thread: one writer at a time, which holds the write lock. A second writer waits. {@link #refuseWrites}, {@link #abort}, {@link
 * #isReady}, {@link #pendingBytes} and {@link #whenReady}: any. When the client has taken the bytes on disk, a job of the exchange releases the file of these
 * bytes.
 *
 * <pre>
 *   OPEN --finish, refuseWrites--> ENDED
 *     +--abort, finish without all bytes--> ABORTED
 * </pre>
 */
public final class UpgradedOutput implements ResponseSink {
    private static final Logger LOG = LoggerFactory.getLogger(UpgradedOutput.class);

    private enum State {
        OPEN,
        ENDED,
        ABORTED
    }

    private static final AtomicReferenceFieldUpdater<UpgradedOutput, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(UpgradedOutput.class, State.class, "state");

    private final RawConnection.Carrier carrier;
    private final ServerResources server;
    private final ResponseWriter out;
    private final Executor jobs;
    private final ReentrantLock writeLock = new ReentrantLock();

    @GuardedBy("writeLock")
    private final ResponseSpill spill;

    // Set with the write lock. Cleared by the job that awaits the client.
    private volatile boolean awaitsClient;

    // Changed with STATE.
    private volatile State state = State.OPEN;

    /** @param jobs runs each task as a job of the exchange */
    UpgradedOutput(
            RawConnection.Carrier carrier,
            ServerResources server,
            ResponseWriter out,
            ResponseSpill spill,
            Executor jobs) {
        this.jobs = jobs;
        this.carrier = carrier;
        this.server = server;
        this.out = out;
        this.spill = spill;
        spill.begin(out.pipe().handedOver()); // the output begins behind the head of the 101 response
    }

    /** Does nothing, because the connection has left HTTP with the 101 response. */
    @Override
    public void informational(int status, Fields fields) {}

    @Override
    public void head(ResponseHead head) {
        throw new IllegalStateException("An upgraded connection has no heads");
    }

    @Override
    public Segment segment() {
        return server.pool().acquireForOutput();
    }

    @Override
    public void write(Segment segment, boolean last) throws IOException {
        writeLock.lock();
        try {
            prepare(segment);
            spill.add(segment);
            send();
        } finally {
            writeLock.unlock();
            left();
        }
        if (last) {
            finish(Fields.EMPTY);
        }
    }

    @GuardedBy("writeLock")
    private void prepare(Segment segment) throws IOException {
        try {
            checkOpen();
            spill.prepare();
        } catch (IOException | RuntimeException e) {
            segment.release();
            throw e;
        }
    }

    @Override
    public void write(ByteBuffer source, boolean last) throws IOException {
        writeLock.lock();
        try {
            checkOpen();
            spill.send(source);
            send();
        } finally {
            writeLock.unlock();
            left();
        }
        if (last) {
            finish(Fields.EMPTY);
        }
    }

    @Override
    public void write(FileChannel file, long position, long count, boolean last) throws IOException {
        writeLock.lock();
        try {
            checkOpen(file);
            spill.send(file, position, count, ResponseWriter.UNCOUNTED);
            send();
        } finally {
            writeLock.unlock();
            left();
        }
        if (last) {
            finish(Fields.EMPTY);
        }
    }

    /** Takes bytes without waiting for the client. */
    void offer(ByteBuffer head, ByteBuffer payload, boolean mayUseDisk) throws IOException {
        writeLock.lock();
        try {
            checkOpen();
            spill.offer(head, payload, mayUseDisk);
            spill.writeGatheredAtOnce();
            out.workerFlush(); // a writer of several streams may hold small bytes back, so that they leave together
            tidyUpWhenSent();
        } finally {
            writeLock.unlock();
            left();
        }
    }

    /** Waits for the client, at most for {@code nanos}. Returns whether memory has room. */
    boolean awaitRoom(long nanos) throws IOException {
        writeLock.lock();
        try {
            checkOpen();
            return spill.awaitRoom(nanos);
        } finally {
            writeLock.unlock();
            left();
        }
    }

    /** The bytes that the client has not taken. Thread: any. */
    long pendingBytes() {
        return out.pipe().size() + out.pipe().inFiles();
    }

    private void checkOpen(FileChannel file) throws IOException {
        try {
            checkOpen();
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    @Override
    public void flush() throws IOException {
        writeLock.lock();
        try {
            send();
        } finally {
            writeLock.unlock();
            left();
        }
    }

    /** Sends the waiting bytes. */
    @GuardedBy("writeLock")
    private void send() throws IOException {
        spill.writeGathered();
        out.workerFlush();
        tidyUpWhenSent();
    }

    @GuardedBy("writeLock")
    private void tidyUpWhenSent() throws IOException {
        if (!spill.catchUp() && isAlive() && !awaitsClient) {
            awaitsClient = true;
            out.pipe().whenRoom(() -> jobs.execute(this::tidyUp));
        }
    }

    /**
     * Called when the client has taken the bytes that were on disk. Releases the file of these bytes. If another thread writes at this
     * moment, the writing thread releases the file. So this method does not wait for the write lock.
     */
    private void tidyUp() {
        awaitsClient = false;
        if (!writeLock.tryLock()) {
            return;
        }
        try {
            send();
        } catch (IOException e) {
            LOG.debug("An upgraded connection has ended before all of its output was sent: {}", e.toString());
        } finally {
            writeLock.unlock();
            left();
        }
    }

    @Override
    public void finish(Fields trailers) throws IOException {
        if (STATE.compareAndSet(this, State.OPEN, State.ENDED)) {
            writeLock.lock();
            try {
                send();
            } catch (IOException | RuntimeException | Error e) {
                // Bytes are missing: no orderly end, which the reactor could send after the unlock.
                abort(e, ConnectionClosed.of(e));
                throw e;
            } finally {
                writeLock.unlock();
                left();
            }
            carrier.outputEnds();
        }
    }

    /** A writer has left. If the output has ended meanwhile, the reactor has perhaps waited for this writer ({@link #end}). */
    private void left() {
        if (state == State.ENDED) {
            carrier.wantAttention();
        }
    }

    /**
     * The position behind the last byte, if the output has ended and no writer is inside of a write; otherwise -1, and such a writer then
     * asks the carrier for attention. Does not wait. Any thread.
     */
    public long end() {
        if (state != State.ENDED || !writeLock.tryLock()) {
            return -1;
        }
        try {
            return out.pipe().handedOver();
        } finally {
            writeLock.unlock();
        }
    }

    /** Refuses further writes. */
    void refuseWrites() {
        STATE.compareAndSet(this, State.OPEN, State.ENDED);
    }

    @Override
    public void nonBlocking() {
        writeLock.lock();
        try {
            spill.nonBlocking();
        } finally {
            writeLock.unlock();
            left();
        }
    }

    @Override
    public boolean isReady() {
        return out.pipe().hasRoom();
    }

    @Override
    public void whenReady(Runnable action) {
        out.pipe().whenRoom(action);
    }

    @Override
    public void abort(Throwable cause) {
        abort(cause, ConnectionClosed.byApplication(cause));
    }

    private void abort(Throwable cause, ConnectionClosed closing) {
        if (STATE.getAndSet(this, State.ABORTED) != State.ABORTED) {
            // A writer that waits for the client gets this exception.
            out.pipe().refuse(new IOException("The connection has been aborted", cause));
            carrier.reset(closing);
        }
    }

    /** The connection has closed: releases its bytes on disk. */
    @SuppressWarnings("GuardedBy") // only this method of the spill may be called without the write lock
    void onClosed() {
        spill.close();
    }

    private boolean isAlive() {
        return state != State.ABORTED && !out.pipe().hasFailed();
    }

    private void checkOpen() throws IOException {
        if (state != State.OPEN) {
            throw new IOException("The connection has been closed");
        }
    }
}
