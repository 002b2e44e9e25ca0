package io.penstock.context;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files of a web application: a folder, and behind it {@code META-INF/resources} of jars. Paths are decoded, start with
 * {@code /}, are matched with their exact case, and never lead out of the root, nor do links. Whether a client may see
 * {@code WEB-INF} is the caller's question.
 *
 * <p>Thread: any, but may wait for the disk. Owns: the opened jars, until closed.
 */
public final class Resources implements AutoCloseable {

    private Resources() {}

    /** No files at all. */
    public static Resources none() {
        return io.penstock.session.Pending.pending();
    }

    /** The folder, and every jar in its {@code WEB-INF/lib}. */
    public static Resources of(Path root) throws IOException {
        return io.penstock.session.Pending.pending();
    }

    /** The folder, and the given jars in that order. */
    public static Resources of(Path root, List<Path> jars) throws IOException {
        return io.penstock.session.Pending.pending();
    }

    /** The folder of the application, or null where there is none. */
    public @Nullable Path root() {
        return io.penstock.session.Pending.pending();
    }

    /** What is at the path; null where there is nothing, or where the path ends with a slash and it is no directory. */
    public @Nullable Resource find(String path) {
        return io.penstock.session.Pending.pending();
    }

    /** The paths of a directory's members, directories ending with a slash; null where it does not exist or is empty. */
    public @Nullable Set<String> list(String path) {
        return io.penstock.session.Pending.pending();
    }

    /** Where in the file system the path is or would be; null where it leads out of the root or is inside a jar. */
    public @Nullable Path realPath(String path) {
        return io.penstock.session.Pending.pending();
    }

    @Override
    public void close() throws IOException {
        io.penstock.session.Pending.pending();
    }
}
