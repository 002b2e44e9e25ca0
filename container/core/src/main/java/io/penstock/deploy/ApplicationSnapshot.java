package io.penstock.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * The state of an application on disk at one moment. The application is a WAR or a folder with a {@code WEB-INF}. If two snapshots are
 * equal, the application has not changed.
 *
 * @param content the WAR or the folder
 * @param real the path of {@code content}, with all links followed
 * @param changed the modification time of the WAR, or of the folder's {@code web.xml}
 * @param size the size in bytes of the WAR, or of the folder's {@code web.xml}
 * @param touched the modification time of the folder's {@code WEB-INF}. Operators touch {@code WEB-INF} to redeploy the application
 */
record ApplicationSnapshot(Path content, Path real, Kind kind, FileTime changed, long size, FileTime touched) {
    private static final FileTime NEVER = FileTime.fromMillis(0);

    enum Kind {
        ARCHIVE,
        FOLDER
    }

    /** Makes the snapshot of a file or folder. Returns null if the file or folder is not an application. */
    static @Nullable ApplicationSnapshot at(Path content) throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(content, BasicFileAttributes.class);
            if (attributes.isDirectory()) {
                return folder(content);
            }
            boolean archive = attributes.isRegularFile() && ContextName.isArchive(content);
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

    /**
     * Chooses between two applications with the same name. A WAR has precedence over a folder, because the folder may be an unpacked copy of
     * the WAR. The names of two WARs differ only in the case of the extension; {@code shop.war} has precedence over {@code shop.WAR}.
     */
    ApplicationSnapshot or(ApplicationSnapshot other) {
        if (kind != other.kind) {
            return kind == Kind.ARCHIVE ? this : other;
        }
        return content.toString().compareTo(other.content.toString()) > 0 ? this : other;
    }

    /** The unpacked application that is not served, because this WAR has the same name; null if there is none. */
    @Nullable
    Path folderOfSameName() {
        if (kind == Kind.FOLDER) {
            return null;
        }
        String name = String.valueOf(content.getFileName());
        Path folder = content.resolveSibling(name.substring(0, name.length() - ContextName.ARCHIVE.length()));
        return Files.isDirectory(folder.resolve("WEB-INF")) ? folder : null;
    }
}
