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
 * A file that a servlet passes to the default servlet. The servlet checks that the client has access to the file, sets a request attribute,
 * and forwards the request to the default servlet. The file can be anywhere in the file system. This is safe, because only code of the
 * application can set the attribute.
 */
final class HandedFile {
    /** The name of the request attribute. Its value is a {@link Path} or a {@link File}. */
    static final String ATTRIBUTE = "io.penstock.file";

    private HandedFile() {}

    /**
     * Returns the file that a servlet has passed with the request; null if no file was passed.
     *
     * @throws NoSuchFileException if the file does not exist, or is not a regular file
     * @throws IllegalArgumentException if the attribute has another type than {@link Path} and {@link File}
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
