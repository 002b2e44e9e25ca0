package io.penstock.pipe;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;

/** An outlet for tests. It accepts as many bytes as the test allows, and records these bytes. */
final class Sluice implements PipeOutlet {
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private long open;
    int calls;
    Runnable meanwhile = () -> {};

    Sluice(long open) {
        this.open = open;
    }

    static Sluice wide() {
        return new Sluice(Long.MAX_VALUE);
    }

    void open(long more) {
        open += more;
    }

    byte[] taken() {
        return taken.toByteArray();
    }

    @Override
    public synchronized long write(ByteBuffer[] sources, int offset, int length) {
        calls++;
        meanwhile.run();
        long count = 0;
        for (int i = offset; i < offset + length; i++) {
            while (sources[i].hasRemaining() && open > 0) {
                taken.write(sources[i].get());
                open--;
                count++;
            }
        }
        return count;
    }

    @Override
    public synchronized long transferFrom(FileChannel file, long position, long count) throws IOException {
        calls++;
        meanwhile.run();
        long sent = file.transferTo(position, Math.min(count, open), Channels.newChannel(taken));
        open -= sent;
        return sent;
    }
}
