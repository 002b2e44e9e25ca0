package io.penstock.accesslog;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.AccessLogging.Rotate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the rotation of log files. A rotated file is complete and is compressed. If there are too many rotated files, the server deletes
 * the oldest file.
 */
class RotationTest {
    private static final long SIZE = 64 << 10;

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("access.log");
    }

    /** The names of the rotated files, the oldest first. A name contains the time of the rotation in seconds. */
    private List<String> rotated() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("access.log."))
                    .sorted()
                    .toList();
        }
    }

    private void awaitRotated(List<String> names) {
        await().untilAsserted(() -> assertEquals(names, rotated()));
    }

    private List<String> unpacked(String name) throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(folder.resolve(name))), StandardCharsets.US_ASCII))) {
            return reader.lines().toList();
        }
    }

    @Test
    void aLargeFileIsRotatedAndCompressed() throws Exception {
        try (LogSite site = new LogSite(file(), "cs-method cs-uri sc-status", 8192, SIZE, Rotate.NEVER, 0)) {
            for (int i = 0; i < 40_000; i++) {
                site.tell("/" + i);
                if (i % 4000 == 3999) {
                    int last = i;
                    await().ignoreException(NoSuchFileException.class) // during a rotation, the file does not exist
                            .until(() -> Files.readString(file()).contains("GET /" + last + " "));
                    site.now.updateAndGet(now -> now.plusSeconds(1));
                }
            }
            assertEquals(0, site.dropped());
            await().until(() -> rotated().size() >= 3 && rotated().stream().allMatch(name -> name.endsWith("Z.gz")));
        }
        List<String> all = new ArrayList<>();
        for (String name : rotated()) {
            List<String> lines = unpacked(name);
            assertEquals(List.of("#Version: 1.0", "#Fields: cs-method cs-uri sc-status"), lines.subList(0, 2));
            all.addAll(lines.subList(2, lines.size()));
        }
        List<String> rest = LogSite.lines(file());
        all.addAll(rest.subList(2, rest.size()));
        assertEquals(40_000, all.size());
        for (int i = 0; i < all.size(); i++) {
            assertEquals("GET /" + i + " 200", all.get(i));
        }
    }

    @Test
    void theFirstRequestOfADayStartsANewLogFile() throws Exception {
        try (LogSite site = new LogSite(file(), "cs-uri", 16, 0, Rotate.DAILY, 0)) {
            site.tell("/saturday");
            site.awaitLines(3);
            site.now.set(Instant.parse("2026-11-21T23:59:59Z"));
            site.tell("/saturday-night");
            site.awaitLines(4);
            assertEquals(List.of(), rotated());
            site.now.set(Instant.parse("2026-11-22T00:00:01Z"));
            site.tell("/sunday");
            awaitRotated(List.of("access.log.20261122T000001Z.gz"));
        }
        assertEquals(
                List.of("/saturday", "/saturday-night"),
                unpacked(rotated().get(0)).subList(2, 4));
        assertEquals("/sunday", LogSite.lines(file()).get(2));
    }

    @Test
    void aNewLogFileIsStartedAfterTheClockWasSetBackByYears() throws Exception {
        try (LogSite site = new LogSite(file(), "cs-uri", 16, 0, Rotate.DAILY, 0)) {
            site.tell("/right");
            site.awaitLines(3);
            site.now.set(Instant.parse("2036-01-01T00:00:00Z"));
            site.tell("/wrong");
            awaitRotated(List.of("access.log.20360101T000000Z.gz"));
            site.now.set(Instant.parse("2026-11-22T10:00:00Z"));
            site.tell("/right-again");
            awaitRotated(List.of("access.log.20261122T100000Z.gz", "access.log.20360101T000000Z.gz"));
        }
    }

    @Test
    void aLogFileFromYesterdayIsRotatedAfterARestart() throws Exception {
        Files.writeString(file(), "yesterday\n");
        Files.setLastModifiedTime(file(), FileTime.from(Ended.BEGAN.minus(Duration.ofDays(1))));
        try (LogSite site = new LogSite(file(), "cs-uri", 16, 0, Rotate.DAILY, 0)) {
            site.tell("/today");
            awaitRotated(List.of("access.log.20261121T140816Z.gz"));
        }
        assertEquals(List.of("yesterday"), unpacked(rotated().get(0)));
        assertTrue(LogSite.lines(file()).contains("/today"));
    }

    @Test
    void onlyTheOldestRotatedFilesAreDeletedIfThereAreTooMany() throws Exception {
        List<String> strangers = List.of(
                "access.log.old", "access.log.20261121", "access.logX20200101T000000Z", "other.log.20200101T000000Z");
        for (String stranger : strangers) {
            Files.writeString(folder.resolve(stranger), "not ours\n");
        }
        for (String former : List.of(
                "access.log.20200101T000000Z.gz",
                "access.log.20210101T000000Z.10.gz",
                "access.log.20210101T000000Z.9.gz")) {
            Files.writeString(folder.resolve(former), "");
        }
        Files.writeString(file(), "yesterday\n");
        Files.setLastModifiedTime(file(), FileTime.from(Ended.BEGAN.minus(Duration.ofDays(1))));
        try (LogSite site = new LogSite(file(), "cs-uri", 16, 0, Rotate.DAILY, 2)) {
            site.tell("/today");
            await().until(() -> Files.exists(folder.resolve("access.log.20261121T140816Z.gz")));
        }
        assertFalse(Files.exists(folder.resolve("access.log.20200101T000000Z.gz")));
        assertFalse(Files.exists(folder.resolve("access.log.20210101T000000Z.9.gz")));
        assertTrue(Files.exists(folder.resolve("access.log.20210101T000000Z.10.gz")));
        for (String stranger : strangers) {
            assertEquals("not ours\n", Files.readString(folder.resolve(stranger)), stranger);
        }
    }

    @Test
    void anUncompressedRotatedFileIsCompressedAfterARestart() throws Exception {
        Files.writeString(folder.resolve("access.log.20200101T000000Z"), "left\n");
        Files.writeString(folder.resolve("access.log.20200101T000000Z.gz.part"), "half");
        try (LogSite site = new LogSite(file(), "cs-uri", 16, 0, Rotate.DAILY, 0)) {
            site.tell("/");
            awaitRotated(List.of("access.log.20200101T000000Z.gz"));
        }
        assertEquals(List.of("left"), unpacked("access.log.20200101T000000Z.gz"));
    }

    /** A process can end after the compression of a file, and before it deletes the file. */
    @Test
    void aCompressedFileThatIsStillThereInPlainIsCompressedAgainAndDeleted() throws Exception {
        Files.writeString(folder.resolve("access.log.20200101T000000Z"), "first\n");
        Files.writeString(folder.resolve("access.log.20200101T000000Z.gz"), "complete");
        Files.writeString(folder.resolve("access.log.20210101T000000Z"), "second\n");
        try (LogSite site = new LogSite(file(), "cs-uri", 16, 0, Rotate.DAILY, 0)) {
            site.tell("/");
            awaitRotated(List.of("access.log.20200101T000000Z.gz", "access.log.20210101T000000Z.gz"));
            assertEquals(List.of(), site.warnings());
        }
        assertEquals(List.of("first"), unpacked("access.log.20200101T000000Z.gz"));
    }

    @Test
    void aRotatedFileThatCannotBeReadDoesNotPreventTheCompressionOfOthers() throws Exception {
        Files.createSymbolicLink(folder.resolve("access.log.20200101T000000Z"), folder.resolve("missing"));
        Files.writeString(folder.resolve("access.log.20210101T000000Z"), "left\n");
        Archive archive = new Archive(file(), 0);
        archive.pack();
        archive.pack();
        assertEquals(List.of("left"), unpacked("access.log.20210101T000000Z.gz"));
        assertThrows(NoSuchFileException.class, archive::pack);
        assertFalse(archive.isBusy(), "the server would try again after each line");
    }

    @Test
    void twoFilesRotatedInTheSameSecondHaveDifferentNames() throws Exception {
        try (LogSite site = new LogSite(file(), "cs-uri", 8192, SIZE, Rotate.NEVER, 0)) {
            site.tell("/first" + "x".repeat((int) SIZE));
            site.awaitLines(3);
            site.tell("/between");
            awaitRotated(List.of("access.log.20261121T140816Z.gz"));
            site.tell("/second" + "x".repeat((int) SIZE));
            site.awaitLines(4);
            site.tell("/last");
            awaitRotated(List.of("access.log.20261121T140816Z.1.gz", "access.log.20261121T140816Z.gz"));
        }
        assertTrue(LogSite.lines(file()).contains("/last"));
    }

    @Test
    void aSymbolicLinkIsKeptAndItsTargetIsRotated() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        Path real = Files.writeString(disk.resolve("real.log"), "yesterday\n");
        Files.setLastModifiedTime(real, FileTime.from(Ended.BEGAN.minus(Duration.ofDays(1))));
        Files.createSymbolicLink(file(), real);
        try (LogSite site = new LogSite(file(), "cs-uri", 16, 0, Rotate.DAILY, 0)) {
            site.tell("/today");
            await().until(() -> Files.exists(disk.resolve("real.log.20261121T140816Z.gz")));
        }
        assertTrue(Files.isSymbolicLink(file()));
        assertTrue(LogSite.lines(real).contains("/today"));
    }

    @Test
    void otherUsersOfTheMachineCannotReadTheLogFile() throws Exception {
        try (LogSite site = new LogSite(file(), "cs-uri", 16, 0, Rotate.DAILY, 0)) {
            site.tell("/");
            site.awaitLines(3);
            assertFalse(PosixFilePermissions.toString(Files.getPosixFilePermissions(file()))
                    .endsWith("r--"));
        }
    }
}
