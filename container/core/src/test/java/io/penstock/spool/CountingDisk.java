package io.penstock.spool;

import io.penstock.limits.Counters;
import io.penstock.memory.ByteAccount;
import io.penstock.memory.Rounds;
import io.penstock.pipe.ForwardingFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A disk for tests. It counts how often its files are read. */
public final class CountingDisk implements AutoCloseable {
    private final AtomicInteger reads = new AtomicInteger();
    private final Spool spool;

    public CountingDisk(Path parent) throws IOException {
        SpoolFolder folder = SpoolFolder.create(parent);
        spool = new Spool(
                folder,
                () -> counted(folder.newFile()),
                new SpoolThreads(1, 2, "", Rounds.unwatched()),
                new ByteAccount(1 << 20),
                new Counters());
    }

    private FileChannel counted(FileChannel file) {
        return new ForwardingFile(file) {
            @Override
            public int read(ByteBuffer target, long position) throws IOException {
                reads.incrementAndGet();
                return super.read(target, position);
            }
        };
    }

    /** Creates a file with the given content. */
    public SpoolFile file(byte[] content) throws Exception {
        SpoolFile file = spool.create(null);
        CompletableFuture<Boolean> written = new CompletableFuture<>();
        file.append(new ByteBuffer[] {ByteBuffer.wrap(content)}, why -> written.complete(why == null));
        if (!written.get(60, TimeUnit.SECONDS)) {
            throw new IOException("The test's disk has failed");
        }
        return file;
    }

    /** Returns how often the files of this disk were read. On a real file, each read is a system call. */
    public int reads() {
        return reads.get();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        spool.close();
    }
}
