package io.penstock.limits;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A claim of one server to a file that it locks. The other servers of this process see the claim, and do not open the file. This is
 * necessary because on POSIX systems a process loses its lock on a file when it closes any channel of the file. So a server that opened the
 * file, was refused the lock, and closed the file would release the lock of the first server.
 *
 * <p>Thread: any.
 */
public final class FileClaim implements AutoCloseable {
    private static final Map<Path, FileClaim> CLAIMS = new ConcurrentHashMap<>();

    private final Path file;

    private FileClaim(Path file) {
        this.file = file;
    }

    /**
     * Claims a file, which need not exist. The caller then opens and locks the file, because servers of other processes see only the lock.
     *
     * @return the claim. The caller must close the file before the claim. Null if another server of this process has claimed the file
     */
    public static @Nullable FileClaim of(Path file) {
        FileClaim claim = new FileClaim(real(file));
        return CLAIMS.putIfAbsent(claim.file, claim) == null ? claim : null;
    }

    /** The path with all links to folders followed. If the folder does not exist, opening the file will report this. */
    private static Path real(Path file) {
        Path whole = file.toAbsolutePath();
        Path folder = whole.getParent();
        Path name = whole.getFileName();
        try {
            return folder == null || name == null ? whole : folder.toRealPath().resolve(name);
        } catch (IOException e) {
            return whole;
        }
    }

    /** Ends the claim. A second call has no effect. */
    @Override
    public void close() {
        CLAIMS.remove(file, this);
    }
}
