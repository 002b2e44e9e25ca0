package io.penstock.spool;

import io.penstock.limits.ByteAccount;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.time.Clock;
import io.penstock.time.RateLimitedLog;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores bodies that are too large for memory in temporary files. The files have a folder and a few threads of their own, and a limit for
 * their total size.
 *
 * <p>Thread: any; only the owner calls {@link #open} and {@link #close}. Owns: the folder, the threads.
 */
public final class Spool {
    private static final Logger LOG = LoggerFactory.getLogger(Spool.class);
    private static final Duration LAST_WRITES = Duration.ofSeconds(10);
    private static final Duration BETWEEN_COMPLAINTS = Duration.ofMinutes(1);

    /** Makes files. Thread: a spool thread. */
    @FunctionalInterface
    interface Source {

        /** An open file without a name, for reading and writing. */
        FileChannel newFile() throws IOException;
    }

    private final SpoolFolder folder;
    private final Source source;
    private final SpoolThreads threads;
    private final ByteAccount account;
    private final Counters counters;
    private final AtomicInteger files = new AtomicInteger();
    private final RateLimitedLog complaints = new RateLimitedLog(Clock.SYSTEM, BETWEEN_COMPLAINTS);

    Spool(SpoolFolder folder, SpoolThreads threads, ByteAccount account, Counters counters) {
        this(folder, folder::newFile, threads, account, counters);
    }

    Spool(SpoolFolder folder, Source source, SpoolThreads threads, ByteAccount account, Counters counters) {
        this.folder = folder;
        this.source = source;
        this.threads = threads;
        this.account = account;
        this.counters = counters;
    }

    /**
     * @param parent an existing directory; folders of crashed servers in it are removed
     * @param limit bytes of all files together
     * @param threads the most concurrent operations on files
     * @param queue the most writes that wait or run
     * @param prefix of the threads' names
     * @param rounds guards the threads
     * @throws SpoolUnavailableException if the directory cannot be written to
     */
    public static Spool open(
            Path parent, long limit, int threads, int queue, Counters counters, String prefix, Rounds rounds)
            throws SpoolUnavailableException {
        try {
            SpoolFolder folder = SpoolFolder.create(parent);
            return new Spool(
                    folder, new SpoolThreads(threads, queue, prefix, rounds), new ByteAccount(limit), counters);
        } catch (IOException e) {
            throw new SpoolUnavailableException(parent, e);
        }
    }

    /**
     * A new file, which is created on disk with its first bytes.
     *
     * @param share limits the writes of its bulkhead, in addition to the limit for all; null if it has none
     */
    public SpoolFile create(@Nullable SpoolShare share) {
        return new SpoolFile(this, share);
    }

    /** Changes the number of concurrent operations, while the server runs. */
    public void resize(int newThreads) {
        threads.resize(newThreads);
    }

    public int threads() {
        return threads.threads();
    }

    /** Bytes of all files now. */
    public long used() {
        return account.used();
    }

    /** The limit for the bytes of all files. */
    public long limit() {
        return account.limit();
    }

    /** Files with bytes now. */
    public int files() {
        return files.get();
    }

    /** Writes that wait or run. */
    public int pending() {
        return threads.pending();
    }

    /** Lets accepted writes end, then removes the folder. Open files stay readable for their holders. */
    public void close() throws IOException, InterruptedException {
        try {
            if (!threads.stop(LAST_WRITES)) {
                LOG.warn("Writes to spool files were still under way after {} s", LAST_WRITES.toSeconds());
            }
        } finally {
            folder.close();
        }
    }

    FileChannel newFile() throws IOException {
        return source.newFile();
    }

    SpoolThreads tasks() {
        return threads;
    }

    /** Limits the bytes of all bodies on disk. */
    public ByteAccount account() {
        return account;
    }

    void opened() {
        files.incrementAndGet();
        counters.increment(Counter.SPOOL_FILES);
    }

    void closed() {
        files.decrementAndGet();
    }

    /** Counts failures, and logs them at a limited rate: a full disk, or a lack of descriptors, fails thousands of clients at once. */
    void written(@Nullable IOException failure) {
        if (failure == null) {
            return;
        }
        counters.increment(Counter.SPOOL_FAILURES);
        long times = complaints.happened();
        if (times > 0) {
            LOG.warn("Spool files could not be written ({} since the last message): {}", times, failure.toString());
        }
    }
}
