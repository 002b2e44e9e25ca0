package io.penstock.pipe;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A client that accepts all bytes at once and discards them. */
public final class DiscardingOutlet implements PipeOutlet {
    public static final DiscardingOutlet INSTANCE = new DiscardingOutlet();

    private DiscardingOutlet() {}

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        long count = 0;
        for (int i = offset; i < offset + length; i++) {
            count += sources[i].remaining();
            sources[i].position(sources[i].limit());
        }
        return count;
    }

    @Override
    public long transferFrom(FileChannel file, long position, long count) {
        return count;
    }
}
