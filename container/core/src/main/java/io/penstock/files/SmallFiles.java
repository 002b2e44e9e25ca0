package io.penstock.files;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.context.Resource;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Contents of small files that were asked for lately: so often they need not be opened, read and closed. What is kept is given only for
 * the very size and time of change with which it was read, and a file that has just changed is not kept, since it may change again
 * without its time showing it.
 *
 * <p>Thread: any. Bounded by the bytes kept; when they are too many it begins anew.
 */
public final class SmallFiles {
    /** The largest file that is kept, in bytes. */
    static final int LARGEST = 16 * 1024;

    private static final class Content {
        final byte[] bytes;
        private final Resource file;

        Content(Resource file, byte[] bytes) {
            this.file = file;
            this.bytes = bytes;
        }

        boolean isOf(Resource other) {
            return file.size() == other.size() && file.modified().equals(other.modified());
        }
    }

    private final long most;
    private final Runnable cleared;
    private final ConcurrentHashMap<Path, Content> contents = new ConcurrentHashMap<>();

    @GuardedBy("this")
    private long kept;

    /** @param most bytes to keep, all files together; 0 keeps nothing */
    public SmallFiles(long most) {
        this(most, () -> {});
    }

    /** @param cleared counts a time that it begins anew */
    public SmallFiles(long most, Runnable cleared) {
        this.most = most;
        this.cleared = cleared;
    }

    /**
     * All bytes of a file of at most {@link #LARGEST} bytes; not to be changed by the caller.
     *
     * @throws EOFException if the file has become shorter than it was when it was looked up
     */
    byte[] read(Resource file, Instant now) throws IOException {
        Content known = contents.get(file.file());
        if (known != null && known.isOf(file)) {
            return known.bytes;
        }
        byte[] bytes = FileContent.bytes(file);
        keep(file, bytes, now);
        return bytes;
    }

    private synchronized void keep(Resource file, byte[] bytes, Instant now) {
        if (bytes.length > most || !FileValidators.isSettled(file, now)) {
            return;
        }
        Content before = contents.put(file.file(), new Content(file, bytes));
        kept += bytes.length - (before == null ? 0 : before.bytes.length);
        if (kept > most) {
            contents.clear();
            kept = 0;
            cleared.run();
        }
    }

    /** How many bytes are kept. */
    public synchronized long kept() {
        return kept;
    }

    /** How many files are kept. */
    int size() {
        return contents.size();
    }
}
