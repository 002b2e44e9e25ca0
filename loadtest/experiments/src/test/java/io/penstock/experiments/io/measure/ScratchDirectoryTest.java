package io.penstock.experiments.io.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchDirectoryTest {
    @TempDir
    private Path parent;

    @Test
    void closingAScratchDirectoryDeletesTheDirectoryAndItsFiles() throws IOException {
        try (ScratchDirectory scratch = ScratchDirectory.in(parent, 0)) {
            Files.createDirectory(scratch.file("files"));
            Files.writeString(scratch.file("files").resolve("a"), "a");
            assertEquals(1, entries());
        }
        assertEquals(0, entries());
    }

    @Test
    void tooLittleDiskSpaceIsReportedBeforeTheFirstWrite() throws IOException {
        IOException refused =
                assertThrows(IOException.class, () -> ScratchDirectory.requireRoom(Path.of("/x"), 3L << 30, 1L << 30));
        assertEquals(
                "3,136 MB are needed in /x, but 1,024 MB are free: free some space, name another directory with --dir, or measure"
                        + " smaller files",
                refused.getMessage());
        assertThrows(IOException.class, () -> ScratchDirectory.in(parent, Long.MAX_VALUE / 2));
        assertEquals(0, entries());
    }

    @Test
    void aMissingDirectoryIsRefused() {
        IOException refused = assertThrows(IOException.class, () -> ScratchDirectory.in(parent.resolve("missing"), 0));
        assertTrue(refused.getMessage().endsWith("name another with --dir"), refused.getMessage());
    }

    @Test
    void theMainThreadIsInterruptedAndTheDirectoryIsDeletedWhenTheProcessIsTerminated() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Sleeper.class.getName(),
                        parent.toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader out = process.inputReader()) {
            assertEquals("made", out.readLine());
            assertEquals(1, entries());
            // Process.destroy would close the output, which the test still reads. The destroy method of the handle does
            // not close the output.
            process.toHandle().destroy();
            assertEquals(List.of("interrupted"), out.lines().toList());
            process.waitFor();
        } finally {
            process.destroyForcibly();
        }
        assertFalse(process.isAlive());
        assertEquals(0, entries());
    }

    private long entries() throws IOException {
        try (Stream<Path> entries = Files.list(parent)) {
            return entries.count();
        }
    }

    /** A program that creates a scratch directory, and waits until it is interrupted. */
    static final class Sleeper {
        public static void main(String[] args) throws IOException {
            try (ScratchDirectory scratch = ScratchDirectory.in(Path.of(args[0]), 0)) {
                Files.writeString(scratch.file("a"), "a");
                System.out.println("made");
                waitForInterrupt();
            }
        }

        private static void waitForInterrupt() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException expected) {
                System.out.println("interrupted");
            }
        }
    }
}
