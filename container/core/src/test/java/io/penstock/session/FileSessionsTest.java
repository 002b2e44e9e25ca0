package io.penstock.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions in files, also when the files are not as they were left. */
final class FileSessionsTest {
    private static final byte[] BYTES = {1, 2, 3};

    @TempDir
    Path folder;

    private static StoredSession session(String id, long version) {
        return new StoredSession(id, version, 1_000, 2_000, 60, ByteBuffer.wrap(BYTES));
    }

    private List<Path> files() throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void whatIsSavedIsLoadedAlsoFromTheFolderOpenedAgain() throws Exception {
        FileSessions sessions = FileSessions.open(folder);
        sessions.save(session("a", 1));
        for (FileSessions each : List.of(sessions, FileSessions.open(folder))) {
            assertEquals(session("a", 1), each.load("a"));
            assertEquals(1, each.size());
        }
    }

    @Test
    void anUnknownIdIsNotLookedForOnDisk() throws Exception {
        FileSessions sessions = FileSessions.open(folder.resolve("inner"));
        Files.write(folder.resolve("x.session"), BYTES);
        for (String id : List.of("../x", "x", "", "..", "a/../../x", "\0")) {
            assertNull(sessions.load(id));
            sessions.delete(id);
            sessions.touch(id, 5_000);
        }
        assertTrue(Files.exists(folder.resolve("x.session")));
    }

    @Test
    void aTouchedSessionLivesLonger() throws Exception {
        FileSessions sessions = FileSessions.open(folder);
        sessions.save(session("a", 1));
        assertEquals(List.of("a"), List.copyOf(sessions.expired(62_000)));
        sessions.touch("a", 10_000);
        assertEquals(List.of(), List.copyOf(sessions.expired(62_000)));
        FileSessions again = FileSessions.open(folder);
        assertEquals(List.of(), List.copyOf(again.expired(62_000)));
        StoredSession loaded = again.load("a");
        assertNotNull(loaded);
        assertEquals(10_000, loaded.accessed());
    }

    @Test
    void anIntervalOfZeroOrLessIsForEver() throws Exception {
        FileSessions sessions = FileSessions.open(folder);
        sessions.save(new StoredSession("a", 1, 0, 0, 0, ByteBuffer.wrap(BYTES)));
        sessions.save(new StoredSession("b", 1, 0, 0, -1, ByteBuffer.wrap(BYTES)));
        assertEquals(List.of(), List.copyOf(sessions.expired(Long.MAX_VALUE)));
    }

    @Test
    void aVersionThatIsNotTheNextIsRefused() throws Exception {
        FileSessions sessions = FileSessions.open(folder);
        sessions.save(session("a", 1));
        sessions.save(session("a", 2));
        assertThrows(StaleSessionException.class, () -> sessions.save(session("a", 2)));
        assertThrows(StaleSessionException.class, () -> sessions.save(session("a", 4)));
    }

    @Test
    void whatIsDeletedIsGone() throws Exception {
        FileSessions sessions = FileSessions.open(folder);
        sessions.save(session("a", 1));
        sessions.delete("a");
        assertNull(sessions.load("a"));
        assertEquals(List.of(), files());
    }

    @Test
    void aFileThatIsCutOffAnywhereIsDeletedAndTheOthersServe() throws Exception {
        FileSessions sessions = FileSessions.open(folder);
        sessions.save(session("a", 1));
        Path file = files().get(0);
        byte[] whole = Files.readAllBytes(file);
        sessions.save(session("b", 1));
        for (int length = 0; length < whole.length; length++) {
            Files.write(file, java.util.Arrays.copyOf(whole, length));
            FileSessions again = FileSessions.open(folder);
            assertNull(again.load("a"), "cut at " + length);
            assertEquals(session("b", 1), again.load("b"));
            assertEquals(1, files().size());
        }
    }

    @Test
    void aFileWithAFlippedBitAnywhereIsDeleted() throws Exception {
        FileSessions sessions = FileSessions.open(folder);
        sessions.save(session("a", 1));
        Path file = files().get(0);
        byte[] whole = Files.readAllBytes(file);
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x10;
            Files.write(file, damaged);
            assertEquals(0, FileSessions.open(folder).size(), "at " + at);
        }
    }

    @Test
    void whatAKilledServerHadBegunToWriteIsRemoved() throws Exception {
        FileSessions sessions = FileSessions.open(folder);
        sessions.save(session("a", 1));
        Path unfinished = folder.resolve(files().get(0).getFileName() + ".part");
        Files.write(unfinished, BYTES);
        assertEquals(session("a", 1), FileSessions.open(folder).load("a"));
        assertEquals(1, files().size());
    }

    @Test
    void nobodyElseMayReadTheFolder() throws Exception {
        Path inner = folder.resolve("inner");
        FileSessions.open(inner);
        if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
            Set<PosixFilePermission> owner = EnumSet.of(
                    PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);
            assertEquals(owner, Files.getPosixFilePermissions(inner));
        }
    }

    @Test
    void noFileGivesAnIdAwayByItsName() throws Exception {
        FileSessions.open(folder).save(session("secret-id", 1));
        assertTrue(files().stream().noneMatch(file -> file.toString().contains("secret-id")));
    }
}
