package io.penstock.session;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.StaleSessionException;
import io.penstock.store.StoredSession;
import io.penstock.time.Saturated;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions in a folder that only the server's user can read, a file for each. A file is written beside the one that it replaces and
 * moved onto it, so that a server that is killed leaves the one or the other. The time of its last modification is the session's last
 * use.
 *
 * <p>One server uses the folder. So a change that was not made to the version in the folder is a mistake, and is refused.
 *
 * <p>Thread: any, for one key one at a time. Owns: the folder, and the table of what is in it.
 */
public final class FileSessions implements SessionStore {
    private static final Logger LOG = LoggerFactory.getLogger(FileSessions.class);
    private static final String SUFFIX = ".session";
    private static final String UNFINISHED = ".part";

    private final Path folder;
    private final ConcurrentHashMap<SessionKey, Known> known = new ConcurrentHashMap<>();

    /** What must be known of a session without reading its file. */
    private record Known(long version, Instant created, Instant accessed, int maxInactiveSeconds) {
        static Known of(StoredSession session) {
            return new Known(session.version(), session.created(), session.accessed(), session.maxInactiveSeconds());
        }

        Known accessedAt(Instant later) {
            return later.isAfter(accessed) ? new Known(version, created, later, maxInactiveSeconds) : this;
        }

        StoredSession with(SessionKey key, Map<String, byte[]> attributes) {
            return new StoredSession(key, version, created, accessed, maxInactiveSeconds, attributes);
        }

        boolean isOver(Instant now) {
            return maxInactiveSeconds > 0
                    && Saturated.millis(now) - Saturated.millis(accessed) >= maxInactiveSeconds * 1000L;
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
            Instant used = Files.getLastModifiedTime(file).toInstant();
            known.put(session.key(), Known.of(session).accessedAt(used));
        } catch (IOException e) {
            LOG.warn("The session in {} is lost: {}", file, e.toString());
            Files.deleteIfExists(file);
        }
    }

    @Override
    public Optional<StoredSession> load(SessionKey key, long version) throws IOException {
        Known found = known.get(key); // what is not known is not looked for: keys are made of what clients send
        if (found == null) {
            return Optional.empty();
        }
        return found.version == version ? Optional.of(found.with(key, Map.of())) : read(key, found);
    }

    private Optional<StoredSession> read(SessionKey key, Known found) throws IOException {
        try {
            byte[] file = Files.readAllBytes(file(key));
            return Optional.of(found.with(key, SessionFile.read(file).attributes()));
        } catch (NoSuchFileException e) {
            LOG.warn("The file of a session has been taken away: {}", e.getMessage());
            known.remove(key);
            return Optional.empty();
        }
    }

    @Override
    public OptionalLong save(SessionChange change) throws IOException {
        Known found = known.get(change.former());
        long version = found == null ? 0 : found.version;
        if (version == 0 && change.base() > 0) {
            return OptionalLong.empty();
        }
        if (version != change.base()) {
            throw new StaleSessionException(version, change.base());
        }
        Optional<StoredSession> before = found == null ? Optional.empty() : read(change.former(), found);
        if (found != null && before.isEmpty()) {
            return OptionalLong.empty();
        }
        StoredSession session = change.appliedTo(before.orElse(null));
        write(session);
        if (!change.former().equals(change.key())) {
            delete(change.former()); // only now: a server that is killed before has the session under both
        }
        return OptionalLong.of(session.version());
    }

    private void write(StoredSession session) throws IOException {
        Path file = file(session.key());
        Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
        Files.write(unfinished, SessionFile.write(session));
        Files.setLastModifiedTime(unfinished, FileTime.from(session.accessed()));
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        known.put(session.key(), Known.of(session));
    }

    @Override
    public void touch(SessionKey key, Instant accessed) throws IOException {
        Known found = known.computeIfPresent(key, (same, before) -> before.accessedAt(accessed));
        if (found != null) {
            Files.setLastModifiedTime(file(key), FileTime.from(found.accessed));
        }
    }

    @Override
    public boolean delete(SessionKey key) throws IOException {
        if (known.remove(key) == null) {
            return false;
        }
        Files.deleteIfExists(file(key));
        return true;
    }

    @Override
    public Collection<SessionKey> expired(Instant now, int most) {
        List<SessionKey> expired = new ArrayList<>();
        for (Map.Entry<SessionKey, Known> session : known.entrySet()) {
            if (expired.size() == most) {
                break;
            }
            if (session.getValue().isOver(now)) {
                expired.add(session.getKey());
            }
        }
        return expired;
    }

    @Override
    public boolean deleteExpired(SessionKey key, Instant now) throws IOException {
        Known found = known.get(key);
        return found != null && found.isOver(now) && delete(key);
    }

    /** How many sessions there are. */
    public int size() {
        return known.size();
    }

    /** A name that every file system takes, and that does not give the id away. */
    private Path file(SessionKey key) {
        return folder.resolve(key + SUFFIX);
    }
}
