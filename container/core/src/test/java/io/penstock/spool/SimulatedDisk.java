package io.penstock.spool;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.Counters;
import io.penstock.limits.SpoolLimits;
import io.penstock.memory.ByteAccount;
import io.penstock.memory.Rounds;
import io.penstock.pipe.ForwardingFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A simulated disk. The test sets its free space, and can delay its writes. */
public final class SimulatedDisk {
    @GuardedBy("this")
    private long room = Long.MAX_VALUE;

    private volatile Runnable beforeWrite = () -> {};

    /** Creates a spool whose files are on this disk. */
    public Spool spool(SpoolLimits limits, Counters counters) throws IOException {
        SpoolFolder folder = SpoolFolder.create(limits.directory());
        return new Spool(
                folder,
                () -> new HandFile(folder.newFile()),
                new SpoolThreads(limits.threads(), limits.queue(), "", Rounds.unwatched()),
                new ByteAccount(limits.limit()),
                counters);
    }

    /** Sets the free space in bytes. A write that needs more space writes only a part of its bytes. The next write fails. */
    public synchronized SimulatedDisk room(long bytes) {
        room = bytes;
        return this;
    }

    /** Sets an action that runs at the beginning of each write. */
    public SimulatedDisk beforeWrite(Runnable action) {
        beforeWrite = action;
        return this;
    }

    private synchronized long take(long wanted) throws IOException {
        if (room == 0) {
            throw new IOException("No space left on device");
        }
        long granted = Math.min(room, wanted);
        room -= granted;
        return granted;
    }

    private final class HandFile extends ForwardingFile {
        HandFile(FileChannel file) {
            super(file);
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
            beforeWrite.run();
            long wanted = 0;
            for (int i = offset; i < offset + length; i++) {
                wanted += sources[i].remaining();
            }
            long granted = take(wanted);
            long left = granted;
            for (int i = offset; i < offset + length; i++) {
                left -= writeSome(sources[i], left);
            }
            return granted;
        }

        private int writeSome(ByteBuffer source, long most) throws IOException {
            int end = source.limit();
            int count = (int) Math.min(most, source.remaining());
            source.limit(source.position() + count);
            try {
                while (source.hasRemaining()) {
                    write(source);
                }
            } finally {
                source.limit(end);
            }
            return count;
        }
    }
}
