package io.penstock.develop;

import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * A file as its folder describes it, without its content. Equal states are most probably the same content.
 *
 * @param key that the file system gives a file that is replaced; null if it has none
 */
public record FileState(
        Path file, FileTime changed, long size, @Nullable Object key) {

    public static FileState of(Path file, BasicFileAttributes attributes) {
        return new FileState(file, attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    }
}
