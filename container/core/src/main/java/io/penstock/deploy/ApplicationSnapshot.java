package io.penstock.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * The state of an application on disk at one moment. The application is a WAR or a folder with a {@code WEB-INF}. Equal snapshots are the
 * same version.
 *
 * @param content the file or folder
 * @param real its path with all links followed
 * @param changed modification time of the WAR, or of the folder's {@code web.xml}
 * @param size in bytes, of the same file
 * @param touched modification time of the folder's {@code WEB-INF}; operators touch it to redeploy the application
 */
record ApplicationSnapshot(Path content, Path real, Kind kind, FileTime changed, long size, FileTime touched) {
    private static final FileTime NEVER = FileTime.fromMillis(0);

    enum Kind {
        ARCHIVE,
        FOLDER
    }

    /** The snapshot of a file or folder; null if it is not an application. */
    static @Nullable ApplicationSnapshot at(Path content) throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(content, BasicFileAttributes.class);
            if (attributes.isDirectory()) {
                return folder(content);
            }
            boolean archive = attributes.isRegularFile() && content.toString().endsWith(ContextName.ARCHIVE);
            FileTime changed = attributes.lastModifiedTime();
            return archive
                    ? new ApplicationSnapshot(
                            content, content.toRealPath(), Kind.ARCHIVE, changed, attributes.size(), changed)
                    : null;
        } catch (NoSuchFileException gone) {
            return null;
        }
    }

    private static @Nullable ApplicationSnapshot folder(Path content) throws IOException {
        Path webInf = content.resolve("WEB-INF");
        if (!Files.isDirectory(webInf)) {
            return null;
        }
        Path descriptor = webInf.resolve("web.xml");
        boolean described = Files.isRegularFile(descriptor);
        return new ApplicationSnapshot(
                content,
                content.toRealPath(),
                Kind.FOLDER,
                described ? Files.getLastModifiedTime(descriptor) : NEVER,
                described ? Files.size(descriptor) : 0,
                Files.getLastModifiedTime(webInf));
    }

    /** Prefers the WAR if a WAR and a folder have the same name, since the folder may be an unpacked copy. */
    ApplicationSnapshot or(ApplicationSnapshot other) {
        return kind == Kind.ARCHIVE ? this : other;
    }
}
