package io.penstock.pipe;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A {@link PipeOutlet} for tests that takes a few bytes per write. It counts the bytes that differ from the expected bytes. */
final class CountingOutlet implements PipeOutlet {
    private final int most;
    private long taken;
    private long strange;
    private boolean inside;

    /** @param most the maximum number of bytes that one write takes */
    CountingOutlet(int most) {
        this.most = most;
    }

    /** Takes bytes. The expected value of each byte is the number of bytes before it. */
    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        enter();
        long count = 0;
        for (int i = offset; i < offset + length; i++) {
            while (sources[i].hasRemaining() && count < most) {
                check(sources[i].get());
                count++;
            }
        }
        inside = false;
        return count;
    }

    /** Takes bytes of a file. The value of each byte is its position in the file. */
    @Override
    public long transferFrom(FileChannel file, long position, long count) {
        enter();
        long part = Math.min(count, most);
        for (long i = 0; i < part; i++) {
            check((byte) (position + i));
        }
        inside = false;
        return part;
    }

    private void enter() {
        if (inside) {
            throw new IllegalStateException("two drainers at once");
        }
        inside = true;
    }

    private void check(byte found) {
        if (found != (byte) taken) {
            strange++;
        }
        taken++;
    }

    long taken() {
        return taken;
    }

    @Override
    public String toString() {
        return taken + (strange == 0 ? " in order" : " taken, " + strange + " of them not in order");
    }
}
