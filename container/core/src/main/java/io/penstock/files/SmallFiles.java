package io.penstock.files;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.context.Resource;
import io.penstock.context.Resources;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A cache of the contents of small files. A request for a cached file need not open, read and close the file. An entry is valid only as
 * long as the size and the modification time of the file are the same. A file that has just changed is not cached, because it can change
 * again without a new modification time.
 *
 * <p>Thread: any. The total number of cached bytes is limited. A full cache is cleared.
 */
public final class SmallFiles {
    /** The size of the largest cached file, in bytes. */
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

    /** @param most the maximum number of bytes of all cached files together. If it is 0, no file is cached */
    public SmallFiles(long most) {
        this(most, () -> {});
    }

    /** @param cleared runs each time the cache is cleared */
    public SmallFiles(long most, Runnable cleared) {
        this.most = most;
        this.cleared = cleared;
    }

    /**
     * Returns the bytes of a file, which must have at most {@link #LARGEST} bytes. The caller must not change the array.
     *
     * @throws FileContent.Replaced if the file was replaced since its lookup
     */
    byte[] read(Resource file, Instant now) throws IOException {
        Content known = contents.get(file.file());
        if (known != null && known.isOf(file)) {
            return known.bytes;
        }
        byte[] bytes;
        try {
            bytes = FileContent.bytes(file);
        } catch (EOFException shorter) {
            throw new FileContent.Replaced(file, shorter);
        }
        FileContent.requireSame(file);
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

    /** Drops the files of an application that ends. Otherwise the cache would keep them, and their jars, until it is full. */
    synchronized void forget(Resources ended) {
        contents.forEach((path, content) -> {
            if (ended.has(path)) {
                contents.remove(path);
                kept -= content.bytes.length;
            }
        });
    }

    /** The number of cached bytes. */
    public synchronized long kept() {
        return kept;
    }

    /** The number of cached files. */
    int size() {
        return contents.size();
    }
}
