package io.penstock.pipe;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;

/** An outlet for tests. The outlet accepts at most the number of bytes that the test allows, and records these bytes. */
final class LimitedOutlet implements PipeOutlet {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private long allowed;
    int calls;
    Runnable duringWrite = () -> {};

    LimitedOutlet(long allowed) {
        this.allowed = allowed;
    }

    static LimitedOutlet unlimited() {
        return new LimitedOutlet(Long.MAX_VALUE);
    }

    void allow(long more) {
        allowed += more;
    }

    byte[] written() {
        return written.toByteArray();
    }

    @Override
    public synchronized long write(ByteBuffer[] sources, int offset, int length) {
        calls++;
        duringWrite.run();
        long count = 0;
        for (int i = offset; i < offset + length; i++) {
            while (sources[i].hasRemaining() && allowed > 0) {
                written.write(sources[i].get());
                allowed--;
                count++;
            }
        }
        return count;
    }

    @Override
    public synchronized long transferFrom(FileChannel file, long position, long count) throws IOException {
        calls++;
        duringWrite.run();
        long sent = file.transferTo(position, Math.min(count, allowed), Channels.newChannel(written));
        allowed -= sent;
        return sent;
    }
}
