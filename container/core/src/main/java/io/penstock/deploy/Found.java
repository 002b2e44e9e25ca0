package io.penstock.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * An application as it lies on the disk at one moment: a WAR, or a folder with a {@code WEB-INF}. Two that are equal are the same version.
 *
 * @param content the file or folder
 * @param real where that leads by links
 * @param kind what it is
 * @param changed when the WAR, or the {@code web.xml} of the folder, was changed
 * @param size of that in bytes
 * @param touched when the folder's {@code WEB-INF} was; its owner touches it to have the application deployed again
 */
record Found(Path content, Path real, Kind kind, FileTime changed, long size, FileTime touched) {
    private static final FileTime NEVER = FileTime.fromMillis(0);

    enum Kind {
        ARCHIVE,
        FOLDER
    }

    /** Null if there is no application. */
    static @Nullable Found at(Path content) throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(content, BasicFileAttributes.class);
            if (attributes.isDirectory()) {
                return folder(content);
            }
            boolean archive = attributes.isRegularFile() && content.toString().endsWith(ContextName.ARCHIVE);
            FileTime changed = attributes.lastModifiedTime();
            return archive
                    ? new Found(content, content.toRealPath(), Kind.ARCHIVE, changed, attributes.size(), changed)
                    : null;
        } catch (NoSuchFileException gone) {
            return null;
        }
    }

    private static @Nullable Found folder(Path content) throws IOException {
        Path webInf = content.resolve("WEB-INF");
        if (!Files.isDirectory(webInf)) {
            return null;
        }
        Path descriptor = webInf.resolve("web.xml");
        boolean described = Files.isRegularFile(descriptor);
        return new Found(
                content,
                content.toRealPath(),
                Kind.FOLDER,
                described ? Files.getLastModifiedTime(descriptor) : NEVER,
                described ? Files.size(descriptor) : 0,
                Files.getLastModifiedTime(webInf));
    }

    /** Of two with one name the WAR is meant: the folder may be what somebody has unpacked to look at. */
    Found or(Found other) {
        return kind == Kind.ARCHIVE ? this : other;
    }
}
