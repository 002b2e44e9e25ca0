package io.penstock.files;

import io.penstock.context.Resource;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A file that a servlet hands over for sending. The servlet checks that the client may have the file, sets a request attribute, and
 * forwards the request to the default servlet. The file may be anywhere in the file system. This is safe: code of the application sets the
 * attribute, and clients cannot set it.
 */
final class HandedFile {
    /** The request attribute; its value is a {@link Path} or a {@link File}. */
    static final String ATTRIBUTE = "io.penstock.file";

    private HandedFile() {}

    /**
     * The file that was handed over; null if none was.
     *
     * @throws NoSuchFileException if the file does not exist, or is not a regular file
     * @throws IllegalArgumentException if the attribute is neither a path nor a file
     */
    static @Nullable Resource of(HttpServletRequest request) throws IOException {
        if (request.getDispatcherType() != DispatcherType.FORWARD) {
            return null;
        }
        Object handed = request.getAttribute(ATTRIBUTE);
        if (handed == null) {
            return null;
        }
        Path path = path(handed);
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        if (!attributes.isRegularFile()) {
            throw new NoSuchFileException(path.toString(), null, "is not a regular file");
        }
        boolean onDisk = path.getFileSystem() == FileSystems.getDefault();
        return new Resource(
                "/" + path.getFileName(),
                path,
                onDisk ? Resource.Kind.FILE : Resource.Kind.JAR_ENTRY,
                attributes.size(),
                attributes.lastModifiedTime().toInstant());
    }

    private static Path path(Object handed) {
        if (handed instanceof Path path) {
            return path;
        }
        if (handed instanceof File file) {
            return file.toPath();
        }
        throw new IllegalArgumentException(
                "The attribute " + ATTRIBUTE + " must be a java.nio.file.Path or a java.io.File, not a "
                        + handed.getClass().getName());
    }
}
