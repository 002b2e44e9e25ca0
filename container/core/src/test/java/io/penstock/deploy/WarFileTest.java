package io.penstock.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how a WAR file is unpacked into a folder. */
class WarFileTest {
    @TempDir
    Path folder;

    @Test
    void allMembersOfAnArchiveAreUnpacked() throws Exception {
        Path war = Packing.empty()
                .with("index.html", "hi")
                .with("WEB-INF/web.xml", "<web-app/>")
                .archive(folder.resolve("a.war"));
        Path target = Files.createDirectory(folder.resolve("target"));
        WarFile.unpack(war, target, 0);
        assertEquals("hi", Files.readString(target.resolve("index.html")));
        assertTrue(Files.exists(target.resolve("WEB-INF/web.xml")));
    }

    /**
     * The ETag of a file depends on its size and its modification time. A reproducible build gives all members of an archive the same fixed
     * time. With this fixed time, a changed file of the same size would keep its old ETag.
     */
    @Test
    void unpackedFilesHaveTheModificationTimeOfTheArchive() throws Exception {
        Path war = Packing.empty().with("index.html", "hi").archive(folder.resolve("a.war"));
        FileTime changed = FileTime.from(Instant.parse("2020-02-29T12:00:00Z"));
        Files.setLastModifiedTime(war, changed);
        Path target = Files.createDirectory(folder.resolve("target"));
        WarFile.unpack(war, target, 0);
        assertEquals(changed, Files.getLastModifiedTime(target.resolve("index.html")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../evil", "WEB-INF/../../evil", "/evil", "..", "a/.."})
    void aMemberWithAPathOutsideTheTargetFolderIsRefused(String name) throws Exception {
        Path war = Packing.empty().with(name, "evil").archive(folder.resolve("a.war"));
        Path target = Files.createDirectory(folder.resolve("target"));
        DeploymentException e = assertThrows(DeploymentException.class, () -> WarFile.unpack(war, target, 0));
        assertEquals("has a member whose path leads out of the archive: " + name, e.getMessage());
        assertFalse(Files.exists(folder.resolve("evil")));
    }

    @Test
    void anArchiveWithTwoMembersOfOneNameIsRefused() throws Exception {
        byte[] archive = Packing.empty().with("a.txt", "1").with("b.txt", "2").archive();
        String bytes = new String(archive, StandardCharsets.ISO_8859_1).replace("b.txt", "a.txt");
        Path war = Files.write(folder.resolve("a.war"), bytes.getBytes(StandardCharsets.ISO_8859_1));
        Path target = Files.createDirectory(folder.resolve("target"));
        DeploymentException e = assertThrows(DeploymentException.class, () -> WarFile.unpack(war, target, 0));
        assertEquals("has two members with the name a.txt", e.getMessage());
    }

    @Test
    void theLimitAppliesToTheUnpackedBytesAndNotToTheDeclaredSize() throws Exception {
        byte[] bomb =
                Packing.empty().with("a", "first").with("b", new byte[1 << 20]).archive();
        declareSize(bomb, 1 << 20, 1);
        Path war = Files.write(folder.resolve("a.war"), bomb);
        Path target = Files.createDirectory(folder.resolve("target"));
        DeploymentException e =
                assertThrows(WarFile.TooLargeException.class, () -> WarFile.unpack(war, target, 1 << 20));
        assertEquals("unpacks to more than 1048576 bytes (unpacked-limit)", e.getMessage());
        assertTrue(Files.size(target.resolve("b")) <= 1 << 20);
    }

    /** Writes a false size into the central directory of the archive, as in a malicious archive. */
    private static void declareSize(byte[] archive, int size, int declared) {
        ByteBuffer bytes = ByteBuffer.wrap(archive).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at + 28 < archive.length; at++) {
            if (bytes.getInt(at) == 0x02014b50 && bytes.getInt(at + 24) == size) {
                bytes.putInt(at + 24, declared);
            }
        }
    }

    @Test
    void anArchiveThatUnpacksToExactlyTheLimitIsAccepted() throws Exception {
        Path war = Packing.empty().with("a", "1234").with("b", "5678").archive(folder.resolve("a.war"));
        WarFile.unpack(war, Files.createDirectory(folder.resolve("enough")), 8);
        Path tooSmall = Files.createDirectory(folder.resolve("small"));
        assertThrows(WarFile.TooLargeException.class, () -> WarFile.unpack(war, tooSmall, 7));
    }

    /** A name of a few kilobytes can make thousands of folders, and each folder needs an inode. */
    @Test
    void theFoldersInTheNamesOfMembersCount() throws Exception {
        Path war = Packing.empty()
                .with("a/b/c/d/1", "1")
                .with("a/b/c/d/2", "2")
                .with("e/f/", "")
                .archive(folder.resolve("a.war"));
        WarFile.unpack(war, Files.createDirectory(folder.resolve("enough")), 0, 8);
        Path target = Files.createDirectory(folder.resolve("target"));
        DeploymentException e = assertThrows(DeploymentException.class, () -> WarFile.unpack(war, target, 0, 7));
        assertEquals("unpacks to more than 7 files and folders", e.getMessage());
        assertFalse(Files.exists(target.resolve("e")));
    }

    @Test
    void aFileThatIsNotAnArchiveIsRefused() throws Exception {
        Path war = Files.writeString(folder.resolve("a.war"), "not a zip file");
        DeploymentException e = assertThrows(DeploymentException.class, () -> WarFile.unpack(war, folder, 0));
        assertTrue(e.getMessage().startsWith("is not a WAR"), e.getMessage());
    }
}
