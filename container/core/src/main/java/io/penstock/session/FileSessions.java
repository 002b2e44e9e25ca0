package io.penstock.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions in a folder that only the server's user can read, a file for each. A file is written beside the one that it replaces and
 * moved onto it, so that a server that is killed leaves the one or the other. When it was last modified says when the session was
 * last used.
 *
 * <p>Thread: any, for one id one at a time. Owns: the folder, and the table of what is in it.
 */
public final class FileSessions implements ByteStore {
    private static final Logger LOG = LoggerFactory.getLogger(FileSessions.class);
    private static final String SUFFIX = ".session";
    private static final String UNFINISHED = ".part";

    private final Path folder;
    private final ConcurrentHashMap<String, Known> known = new ConcurrentHashMap<>();

    /** What must be known of a session without reading its file. */
    private record Known(long version, long accessed, int maxInactiveInterval) {
        static Known of(StoredSession session) {
            return new Known(session.version(), session.accessed(), session.maxInactiveInterval());
        }

        boolean isOver(long now) {
            return maxInactiveInterval > 0 && now - accessed >= maxInactiveInterval * 1000L;
        }
    }

    private FileSessions(Path folder) {
        this.folder = folder;
    }

    /**
     * The sessions in a folder, which is made if there is none. A file that cannot be read is deleted, with a line in the log.
     *
     * @throws IOException if the folder cannot be made or listed
     */
    public static FileSessions open(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.createDirectories(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } else {
                Files.createDirectories(folder);
            }
        }
        FileSessions sessions = new FileSessions(folder);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*{" + SUFFIX + "," + UNFINISHED + "}")) {
            for (Path file : files) {
                sessions.find(file);
            }
        }
        return sessions;
    }

    private void find(Path file) throws IOException {
        if (file.toString().endsWith(UNFINISHED)) {
            Files.deleteIfExists(file);
            return;
        }
        try {
            StoredSession session = SessionFile.read(Files.readAllBytes(file));
            long used = Files.getLastModifiedTime(file).toMillis();
            known.put(session.id(), Known.of(session.accessedAt(used)));
        } catch (IOException e) {
            LOG.warn("The session in {} is lost: {}", file, e.toString());
            Files.deleteIfExists(file);
        }
    }

    @Override
    public @Nullable StoredSession load(String id) throws IOException {
        Known found = known.get(id); // what is not known is not looked for: ids are the client's
        if (found == null) {
            return null;
        }
        try {
            return SessionFile.read(Files.readAllBytes(file(id))).accessedAt(found.accessed);
        } catch (NoSuchFileException e) {
            LOG.warn("The file of a session has been taken away: {}", e.getMessage());
            known.remove(id);
            return null;
        }
    }

    @Override
    public void save(StoredSession session) throws IOException {
        Known before = known.get(session.id());
        if (before != null && before.version != session.version() - 1) {
            throw new StaleSessionException(before.version, session.version() - 1);
        }
        Path file = file(session.id());
        Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
        Files.write(unfinished, SessionFile.write(session));
        Files.setLastModifiedTime(unfinished, FileTime.fromMillis(session.accessed()));
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        known.put(session.id(), Known.of(session));
    }

    @Override
    public void touch(String id, long accessed) throws IOException {
        Known found = known.computeIfPresent(
                id,
                (key, before) ->
                        new Known(before.version, Math.max(before.accessed, accessed), before.maxInactiveInterval));
        if (found != null) {
            Files.setLastModifiedTime(file(id), FileTime.fromMillis(found.accessed));
        }
    }

    @Override
    public void delete(String id) throws IOException {
        if (known.remove(id) != null) {
            Files.deleteIfExists(file(id));
        }
    }

    @Override
    public Collection<String> expired(long now) {
        List<String> expired = new ArrayList<>();
        known.forEach((id, session) -> {
            if (session.isOver(now)) {
                expired.add(id);
            }
        });
        return expired;
    }

    @Override
    public int size() {
        return known.size();
    }

    @Override
    public boolean isOwn() {
        return true;
    }

    /** A name that every file system takes, and that does not give the id away. */
    private Path file(String id) {
        return folder.resolve(Sha256.of(StandardCharsets.UTF_8.encode(id)) + SUFFIX);
    }
}
