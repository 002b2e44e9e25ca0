package io.penstock.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import io.penstock.store.StaleSessionException;
import io.penstock.store.StoredSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the store that keeps sessions in files. Some tests damage or change the files. */
final class FileSessionStoreTest {
    private static final byte[] BYTES = {1, 2, 3};
    private static final int ROUNDS = 300;

    @TempDir
    Path folder;

    private static final SessionKey A = SessionKey.of("a");

    /** Returns a change that saves the session as the given version. */
    private static SessionChange session(String id, long version) {
        return session(id, version, 60);
    }

    private static SessionChange session(String id, long version, int maxInactiveSeconds) {
        SessionKey key = SessionKey.of(id);
        return new SessionChange(
                key, key, version - 1, at(1_000), at(2_000), maxInactiveSeconds, Map.of("bytes", BYTES), Set.of());
    }

    private static Instant at(long millis) {
        return Instant.ofEpochMilli(millis);
    }

    private static List<SessionKey> keys(Collection<StoredSession> sessions) {
        return sessions.stream().map(StoredSession::key).toList();
    }

    private static StoredSession load(FileSessionStore sessions, String id) throws Exception {
        return sessions.load(SessionKey.of(id), 0).orElse(null);
    }

    private static void assertSaved(SessionChange change, StoredSession loaded) {
        assertNotNull(loaded);
        assertEquals(change.key(), loaded.key());
        assertEquals(change.base() + 1, loaded.version());
        assertEquals(change.created(), loaded.created());
        assertEquals(change.accessed(), loaded.accessed());
        assertEquals(change.maxInactiveSeconds(), loaded.maxInactiveSeconds());
        assertEquals(Set.of("bytes"), loaded.attributes().keySet());
        assertArrayEquals(BYTES, loaded.attributes().get("bytes"));
    }

    private List<Path> files() throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void aSavedSessionCanBeLoadedAfterTheFolderHasBeenOpenedAgain() throws Exception {
        FileSessionStore sessions = FileSessionStore.open(folder);
        sessions.save(session("a", 1));
        for (FileSessionStore each : List.of(sessions, FileSessionStore.open(folder))) {
            assertSaved(session("a", 1), load(each, "a"));
            assertEquals(1, each.size());
        }
    }

    @Test
    void anInvalidIdCannotAccessFilesOutsideTheFolder() throws Exception {
        FileSessionStore sessions = FileSessionStore.open(folder.resolve("inner"));
        Files.write(folder.resolve("x.session"), BYTES);
        for (String id : List.of("../x", "x", "", "..", "a/../../x", "\0")) {
            assertNull(load(sessions, id));
            sessions.delete(SessionKey.of(id));
            sessions.touch(SessionKey.of(id), at(5_000));
        }
        assertTrue(Files.exists(folder.resolve("x.session")));
    }

    @Test
    void touchDelaysTheExpiryOfASession() throws Exception {
        FileSessionStore sessions = FileSessionStore.open(folder);
        sessions.save(session("a", 1));
        assertEquals(List.of(A), keys(sessions.expired(at(62_000), 10)));
        sessions.touch(A, at(10_000));
        assertEquals(List.of(), keys(sessions.expired(at(62_000), 10)));
        FileSessionStore again = FileSessionStore.open(folder);
        assertEquals(List.of(), keys(again.expired(at(62_000), 10)));
        StoredSession loaded = load(again, "a");
        assertNotNull(loaded);
        assertEquals(at(10_000), loaded.accessed());
    }

    @Test
    void aSessionWithAMaxInactiveIntervalOfZeroOrLessNeverExpires() throws Exception {
        FileSessionStore sessions = FileSessionStore.open(folder);
        sessions.save(session("a", 1, 0));
        sessions.save(session("b", 1, -1));
        assertEquals(List.of(), keys(sessions.expired(at(Long.MAX_VALUE), 10)));
    }

    @Test
    void aChangeIsRejectedIfItIsNotBasedOnTheStoredVersion() throws Exception {
        FileSessionStore sessions = FileSessionStore.open(folder);
        sessions.save(session("a", 1));
        sessions.save(session("a", 2));
        assertThrows(StaleSessionException.class, () -> sessions.save(session("a", 2)));
        assertThrows(StaleSessionException.class, () -> sessions.save(session("a", 4)));
        assertThrows(
                StaleSessionException.class,
                () -> sessions.save(session("a", 1)),
                "a new session was saved although a session with this key exists");
    }

    @Test
    void aSaveKeepsAttributesThatTheChangeDoesNotContain() throws Exception {
        FileSessionStore sessions = FileSessionStore.open(folder);
        sessions.save(session("a", 1));
        byte[] other = {4};
        assertEquals(
                OptionalLong.of(2),
                sessions.save(new SessionChange(A, A, 1, at(1_000), at(3_000), 60, Map.of("other", other), Set.of())));
        assertEquals(Set.of("bytes", "other"), load(sessions, "a").attributes().keySet());
        assertEquals(
                OptionalLong.of(3),
                sessions.save(new SessionChange(A, A, 2, at(1_000), at(3_000), 60, Map.of(), Set.of("bytes"))));
        StoredSession loaded = load(FileSessionStore.open(folder), "a");
        assertEquals(Set.of("other"), loaded.attributes().keySet());
        assertArrayEquals(other, loaded.attributes().get("other"));
    }

    @Test
    void loadDoesNotReadTheFileIfTheCallerKnowsTheStoredVersion() throws Exception {
        FileSessionStore sessions = FileSessionStore.open(folder);
        sessions.save(session("a", 1));
        Files.write(files().get(0), BYTES);
        StoredSession head = sessions.load(A, 1).orElseThrow();
        assertEquals(1, head.version());
        assertEquals(at(2_000), head.accessed());
        assertThrows(IOException.class, () -> sessions.load(A, 0));
    }

    @Test
    void aSessionCanBeMovedToAnotherKey() throws Exception {
        FileSessionStore sessions = FileSessionStore.open(folder);
        sessions.save(session("a", 1));
        SessionKey b = SessionKey.of("b");
        assertEquals(
                OptionalLong.of(2),
                sessions.save(new SessionChange(A, b, 1, at(1_000), at(2_000), 60, Map.of(), Set.of())));
        for (FileSessionStore each : List.of(sessions, FileSessionStore.open(folder))) {
            assertNull(load(each, "a"));
            assertSaved(session("b", 2), load(each, "b"));
        }
        assertEquals(1, files().size());
    }

    @Test
    void aDeletedSessionIsNotSavedAgain() throws Exception {
        FileSessionStore sessions = FileSessionStore.open(folder);
        sessions.save(session("a", 1));
        assertTrue(sessions.delete(A));
        assertFalse(sessions.delete(A));
        assertEquals(OptionalLong.empty(), sessions.save(session("a", 2)));
        assertEquals(List.of(), files());
    }

    @Test
    void anExpiredSessionIsDeletedOnlyOnce() throws Exception {
        FileSessionStore sessions = FileSessionStore.open(folder);
        sessions.save(session("a", 1));
        assertFalse(sessions.deleteExpired(A, at(61_999)));
        assertTrue(sessions.deleteExpired(A, at(62_000)));
        assertFalse(sessions.deleteExpired(A, at(62_000)));
        assertEquals(List.of(), files());
    }

    @Test
    void theNumberOfExpiredSessionsInOneResultIsLimited() throws Exception {
        FileSessionStore sessions = FileSessionStore.open(folder);
        for (String id : List.of("a", "b", "c")) {
            sessions.save(session(id, 1));
        }
        assertEquals(2, sessions.expired(at(62_000), 2).size());
        assertEquals(3, sessions.expired(at(62_000), 10).size());
    }

    /**
     * The file has a correct checksum, so the store reads the false length in the file. The store must not allocate 2 GB for this length.
     */
    @Test
    void aFileWithAFalseLengthFieldIsDeleted() throws Exception {
        FileSessionStore.open(folder).save(session("a", 1));
        Path file = files().get(0);
        byte[] whole = Files.readAllBytes(file);
        int length = whole.length - Long.BYTES - BYTES.length - Integer.BYTES;
        int count = length - "bytes".length() - Short.BYTES - Integer.BYTES;
        for (int at : new int[] {length, count}) {
            ByteBuffer lying = ByteBuffer.wrap(whole.clone()).putInt(at, Integer.MAX_VALUE);
            CRC32 checksum = new CRC32();
            checksum.update(lying.array(), 0, whole.length - Long.BYTES);
            Files.write(
                    file,
                    lying.putLong(whole.length - Long.BYTES, checksum.getValue())
                            .array());
            assertEquals(0, FileSessionStore.open(folder).size(), "false length field at offset " + at);
        }
    }

    @Test
    void aDeletedSessionIsNotFound() throws Exception {
        FileSessionStore sessions = FileSessionStore.open(folder);
        sessions.save(session("a", 1));
        sessions.delete(A);
        assertNull(load(sessions, "a"));
        assertEquals(List.of(), files());
    }

    /** Runs both calls at the same time, in two threads. */
    private static List<Object> atOnce(Callable<Object> first, Callable<Object> second) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        CyclicBarrier together = new CyclicBarrier(2);
        try {
            List<Future<Object>> calls = new ArrayList<>();
            for (Callable<Object> call : List.of(first, second)) {
                calls.add(threads.submit(() -> {
                    together.await();
                    return call.call();
                }));
            }
            return List.of(calls.get(0).get(), calls.get(1).get());
        } finally {
            threads.shutdownNow();
        }
    }

    private static Object saved(FileSessionStore sessions, long version) throws IOException {
        try {
            return sessions.save(session("a", version));
        } catch (StaleSessionException e) {
            return "stale";
        }
    }

    /** Two versions of an application use the same store during a deployment. */
    @Test
    void onlyOneOfTwoSimultaneousChangesIsSaved() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            FileSessionStore sessions = FileSessionStore.open(folder.resolve("round" + round));
            sessions.save(session("a", 1));
            assertEquals(
                    Set.of(OptionalLong.of(2), "stale"),
                    Set.copyOf(atOnce(() -> saved(sessions, 2), () -> saved(sessions, 2))));
            assertSaved(session("a", 2), load(sessions, "a"));
        }
    }

    @Test
    void aSimultaneousChangeDoesNotCreateADeletedSessionAgain() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            FileSessionStore sessions = FileSessionStore.open(folder.resolve("round" + round));
            sessions.save(session("a", 1));
            atOnce(() -> saved(sessions, 2), () -> sessions.delete(A));
            assertEquals(0, sessions.size(), "round " + round);
        }
    }

    @Test
    void aTruncatedFileIsDeletedAndOtherFilesCanStillBeLoaded() throws Exception {
        FileSessionStore sessions = FileSessionStore.open(folder);
        sessions.save(session("a", 1));
        Path file = files().get(0);
        byte[] whole = Files.readAllBytes(file);
        sessions.save(session("b", 1));
        for (int length = 0; length < whole.length; length++) {
            Files.write(file, java.util.Arrays.copyOf(whole, length));
            FileSessionStore again = FileSessionStore.open(folder);
            assertNull(load(again, "a"), "file truncated to " + length + " bytes");
            assertSaved(session("b", 1), load(again, "b"));
            assertEquals(1, files().size());
        }
    }

    @Test
    void aFileWithAFlippedBitIsDeleted() throws Exception {
        FileSessionStore sessions = FileSessionStore.open(folder);
        sessions.save(session("a", 1));
        Path file = files().get(0);
        byte[] whole = Files.readAllBytes(file);
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x10;
            Files.write(file, damaged);
            assertEquals(0, FileSessionStore.open(folder).size(), "flipped bit at offset " + at);
        }
    }

    @Test
    void anIncompleteFileOfAKilledServerIsDeleted() throws Exception {
        FileSessionStore sessions = FileSessionStore.open(folder);
        sessions.save(session("a", 1));
        Path unfinished = folder.resolve(files().get(0).getFileName() + ".part");
        Files.write(unfinished, BYTES);
        assertSaved(session("a", 1), load(FileSessionStore.open(folder), "a"));
        assertEquals(1, files().size());
    }

    @Test
    void otherUsersOfTheOperatingSystemCannotReadTheFolder() throws Exception {
        Path inner = folder.resolve("inner");
        FileSessionStore.open(inner);
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Set<PosixFilePermission> owner = EnumSet.of(
                    PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);
            assertEquals(owner, Files.getPosixFilePermissions(inner));
        }
    }

    @Test
    void fileNamesDoNotContainSessionIds() throws Exception {
        FileSessionStore.open(folder).save(session("secret-id", 1));
        assertTrue(files().stream().noneMatch(file -> file.toString().contains("secret-id")));
    }
}
