package io.penstock.session;

import io.penstock.limits.OperatorFile;
import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.SessionStore;
import io.penstock.store.StaleSessionException;
import io.penstock.store.StoredSession;
import io.penstock.time.RateLimitedLog;
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
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores each session in its own file, in a folder that only the server's user can read. A new version is written to a separate file. Then
 * this file replaces the old file. If the server is killed, the old or the new version remains. The modification time of the file is the
 * time of the session's latest request.
 *
 * <p>Only one server uses the folder. So each change must be based on the version in the folder. A change that is based on another version
 * is refused.
 *
 * <p>Thread: any. Calls for the same session wait for each other: a new version of an application uses this store while requests still run in
 * the former version. Owns: the folder, and the index of its files.
 */
public final class FileSessionStore implements SessionStore {
    private static final Logger LOG = LoggerFactory.getLogger(FileSessionStore.class);
    private static final String SUFFIX = ".session";
    private static final String PARTIAL_SUFFIX = ".part";
    private static final int LOCKS = 64;

    private final RateLimitedLog lost = new RateLimitedLog();
    private final RateLimitedLog removed = new RateLimitedLog();
    private final RateLimitedLog undeleted = new RateLimitedLog();
    private final Path folder;
    private final ConcurrentHashMap<SessionKey, Entry> index = new ConcurrentHashMap<>();

    /** Each session has one of these locks, by its key. */
    private final List<Object> locks = Stream.generate(Object::new).limit(LOCKS).toList();

    /** The data of a session that are needed without reading the session's file. */
    private record Entry(long version, Instant created, Instant accessed, int maxInactiveSeconds) {
        static Entry of(StoredSession session) {
            return new Entry(session.version(), session.created(), session.accessed(), session.maxInactiveSeconds());
        }

        Entry accessedAt(Instant later) {
            return later.isAfter(accessed) ? new Entry(version, created, later, maxInactiveSeconds) : this;
        }

        StoredSession with(SessionKey key, Map<String, byte[]> attributes) {
            return new StoredSession(key, version, created, accessed, maxInactiveSeconds, attributes);
        }

        boolean isExpired(Instant now) {
            return maxInactiveSeconds > 0
                    && Saturated.millis(now) - Saturated.millis(accessed) >= maxInactiveSeconds * 1000L;
        }
    }

    private FileSessionStore(Path folder) {
        this.folder = folder;
    }

    /**
     * Opens a folder; creates the folder if there is none. A session file that cannot be read is logged and deleted.
     *
     * @throws IOException if the folder cannot be created or listed
     */
    public static FileSessionStore open(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.createDirectories(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } else {
                Files.createDirectories(folder);
            }
        }
        FileSessionStore sessions = new FileSessionStore(folder);
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(folder, "*{" + SUFFIX + "," + PARTIAL_SUFFIX + "}")) {
            for (Path file : files) {
                sessions.addToIndex(file);
            }
        }
        return sessions;
    }

    private void addToIndex(Path file) throws IOException {
        if (file.toString().endsWith(PARTIAL_SUFFIX)) {
            Files.deleteIfExists(file);
            return;
        }
        try {
            StoredSession session = SessionFile.read(Files.readAllBytes(file));
            Instant used = Files.getLastModifiedTime(file).toInstant();
            index.put(session.key(), Entry.of(session).accessedAt(used));
        } catch (IOException e) {
            lost.warn(LOG, "Sessions are lost, the last in " + file, OperatorFile.explained(e), e);
            Files.deleteIfExists(file);
        }
    }

    private Object lock(SessionKey key) {
        return locks.get(Math.floorMod(key.hashCode(), LOCKS));
    }

    @Override
    public Optional<StoredSession> load(SessionKey key, long version) throws IOException {
        synchronized (lock(key)) {
            return loadLocked(key, version);
        }
    }

    private Optional<StoredSession> loadLocked(SessionKey key, long version) throws IOException {
        // An unknown key causes no file access, since clients can send any id.
        Entry found = index.get(key);
        if (found == null) {
            return Optional.empty();
        }
        return found.version == version ? Optional.of(found.with(key, Map.of())) : read(key, found);
    }

    private Optional<StoredSession> read(SessionKey key, Entry found) throws IOException {
        try {
            byte[] file = Files.readAllBytes(file(key));
            return Optional.of(found.with(key, SessionFile.read(file).attributes()));
        } catch (NoSuchFileException e) {
            removed.warn(LOG, "Files of sessions have been removed by another program", OperatorFile.explained(e), e);
            index.remove(key);
            return Optional.empty();
        } catch (IOException e) {
            throw new IOException(file(key) + ": " + OperatorFile.reason(e), e);
        }
    }

    @Override
    public OptionalLong save(SessionChange change) throws IOException {
        // No other call has the new key of a renamed session yet.
        synchronized (lock(change.former())) {
            return saveLocked(change);
        }
    }

    private OptionalLong saveLocked(SessionChange change) throws IOException {
        Entry found = index.get(change.former());
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
            // The old file is deleted last. If the server is killed before the deletion, the session exists under both
            // keys, and is not lost.
            delete(change.former());
        }
        return OptionalLong.of(session.version());
    }

    private void write(StoredSession session) throws IOException {
        Path file = file(session.key());
        Path unfinished = file.resolveSibling(file.getFileName() + PARTIAL_SUFFIX);
        byte[] bytes = SessionFile.write(session);
        try {
            Files.write(unfinished, bytes);
            Files.setLastModifiedTime(unfinished, FileTime.from(session.accessed()));
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            // The message of the JDK does not name the folder if the disk is full.
            throw new IOException(folder + ": " + OperatorFile.reason(e), e);
        }
        index.put(session.key(), Entry.of(session));
    }

    @Override
    public void touch(SessionKey key, Instant accessed) throws IOException {
        synchronized (lock(key)) {
            Entry found = index.computeIfPresent(key, (same, before) -> before.accessedAt(accessed));
            if (found != null) {
                Files.setLastModifiedTime(file(key), FileTime.from(found.accessed));
            }
        }
    }

    @Override
    public boolean delete(SessionKey key) throws IOException {
        synchronized (lock(key)) {
            if (index.remove(key) == null) {
                return false;
            }
            Files.deleteIfExists(file(key));
            return true;
        }
    }

    @Override
    public Collection<StoredSession> expired(Instant now, int most) {
        List<StoredSession> expired = new ArrayList<>();
        for (Map.Entry<SessionKey, Entry> session : index.entrySet()) {
            if (expired.size() == most) {
                break;
            }
            if (session.getValue().isExpired(now)) {
                try {
                    load(session.getKey(), 0)
                            .filter(found -> Entry.of(found).isExpired(now))
                            .ifPresent(expired::add);
                } catch (IOException e) {
                    undeleted.warn(LOG, "Files of expired sessions cannot be deleted", OperatorFile.explained(e), e);
                }
            }
        }
        return expired;
    }

    @Override
    public boolean deleteExpired(SessionKey key, Instant now) throws IOException {
        synchronized (lock(key)) {
            Entry found = index.get(key);
            return found != null && found.isExpired(now) && delete(key);
        }
    }

    /** The number of stored sessions. */
    public int size() {
        return index.size();
    }

    /** The file of a session. Its name is valid in every file system, and does not disclose the session id. */
    private Path file(SessionKey key) {
        return folder.resolve(key + SUFFIX);
    }
}
