package io.penstock.pipe;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A response pipe with very small segments, and an outlet that takes a few bytes at a time. */
abstract class PipedResponse {
    final SegmentPool pool = new SegmentPool(8, 64);
    final ResponsePipe pipe = new ResponsePipe(pool, 16);
    final CountingOutlet outlet = new CountingOutlet(5);
    private int next;

    /** Appends {@code count} bytes. Returns whether the pipe took the bytes. */
    boolean append(int count) {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        while (bytes.hasRemaining()) {
            bytes.put((byte) next++);
        }
        try {
            pipe.appendWhole(bytes.flip());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Sends {@code count} bytes past the empty pipe. The pipe keeps the bytes that the outlet does not take. */
    void sendPast(int count) {
        Segment segment = pool.acquireForOutput();
        ByteBuffer bytes = segment.buffer().limit(count);
        while (bytes.hasRemaining()) {
            bytes.put((byte) next++);
        }
        bytes.flip();
        try {
            pipe.reserve(count);
        } catch (IOException e) {
            segment.release();
            return;
        }
        try {
            pipe.sendReserved(outlet, segment);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Takes bytes out of the pipe and puts them back, like a writer whose bytes the disk does not accept. */
    void takeOutAndPutBack(long begins) {
        try {
            pipe.putBack(pipe.takeOut(begins, () -> 0));
        } catch (IOException e) {
            // The pipe has failed, or the response was replaced. No bytes were taken out.
        }
    }

    void drain() {
        try {
            pipe.drainTo(outlet, ResponsePipe.NOTHING);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    void drainAll() {
        while (!pipe.isEmpty()) {
            drain();
        }
    }

    String held() {
        return (pipe.isEmpty() ? "" : ", not empty") + (pool.inUse() == 0 ? "" : ", " + pool.inUse() + " held");
    }
}
