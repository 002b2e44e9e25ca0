package io.penstock.spool;

import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.OperatorFile;
import io.penstock.memory.ByteAccount;
import io.penstock.memory.Rounds;
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
 * Stores the bodies of requests and responses in temporary files if the bodies need too much memory. The spool has its own folder and its
 * own threads. The total size of the files is limited.
 *
 * <p>Thread: any. Only the owner calls {@link #open} and {@link #close}. The spool owns the folder and the threads.
 */
public final class Spool {
    private static final Logger LOG = LoggerFactory.getLogger(Spool.class);
    private static final Duration LAST_WRITES = Duration.ofSeconds(10);

    /** Makes the files. A thread of the spool calls this interface. */
    @FunctionalInterface
    interface Source {

        /** Makes a file without a name, and opens the file for reads and writes. */
        FileChannel newFile() throws IOException;
    }

    private final SpoolFolder folder;
    private final Source source;
    private final SpoolThreads threads;
    private final ByteAccount account;
    private final Counters counters;
    private final AtomicInteger files = new AtomicInteger();
    private final RateLimitedLog complaints = new RateLimitedLog();

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
     * @param parent an existing directory for the folder of the spool. The folders of crashed servers in this directory are removed
     * @param limit the maximum number of bytes in all files together
     * @param threads the maximum number of concurrent operations on files
     * @param queue the maximum number of writes that wait or run
     * @param prefix the first part of the threads' names
     * @param rounds runs the tasks of the threads, and catches their exceptions
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
     * Makes an object for a new file. The file on disk is made by the first write.
     *
     * @param share the limit for the writes of the file's bulkhead (a group of requests with its own limits), in addition to the limit for
     *     all writes; null if the file belongs to no bulkhead
     */
    public SpoolFile create(@Nullable SpoolShare share) {
        return new SpoolFile(this, share);
    }

    /** Changes the maximum number of concurrent operations. This is possible while the server runs. */
    public void resize(int newThreads) {
        threads.resize(newThreads);
    }

    public int threads() {
        return threads.threads();
    }

    /** The number of bytes in all files now. */
    public long used() {
        return account.used();
    }

    /** The maximum number of bytes in all files. */
    public long limit() {
        return account.limit();
    }

    /** The number of files that exist on disk now. */
    public int files() {
        return files.get();
    }

    /** The number of writes that wait or run. */
    public int pending() {
        return threads.pending();
    }

    /**
     * Waits until the accepted writes have ended, but at most ten seconds. Then removes the folder. A file that is still open can be read
     * after this call.
     */
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

    /** Counts and limits the bytes in all files. */
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

    /**
     * Called when a write has ended. Counts a failure, and logs failures at a limited rate, because a full disk can cause thousands of
     * failures at the same time.
     */
    void written(@Nullable IOException failure) {
        if (failure == null) {
            return;
        }
        counters.increment(Counter.SPOOL_FAILURES);
        complaints.warn(
                LOG,
                "Spool files in " + folder.path() + " could not be written",
                OperatorFile.reason(failure),
                failure);
    }
}
