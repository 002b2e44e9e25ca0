package io.penstock.develop;

import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a file, without its content. If two states of a file are equal, its content is very probably the same.
 *
 * @param key the file system's identifier of the file, or null if the file system has none. It changes when the file is replaced
 */
public record FileState(
        Path file, FileTime changed, long size, @Nullable Object key) {

    public static FileState of(Path file, BasicFileAttributes attributes) {
        return new FileState(file, attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    }
}
