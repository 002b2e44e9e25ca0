package io.penstock;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/** Another process, which tries to lock a file. */
public final class OtherProcess {
    private static final int LOCKED = 7;
    private static final int REFUSED = 8;

    private OtherProcess() {}

    /** Whether another process can lock the file. The test must not open and close the file itself, since this can release a lock. */
    public static boolean canLock(Path file) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherProcess.class.getName(),
                        file.toString())
                .inheritIO()
                .start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        int end = process.exitValue();
        assertTrue(end == LOCKED || end == REFUSED, "the process ended with " + end);
        return end == LOCKED;
    }

    /** Tries to lock the file that the only argument names. */
    public static void main(String[] arguments) throws IOException {
        try (FileChannel channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE)) {
            System.exit(channel.tryLock() == null ? REFUSED : LOCKED);
        }
    }
}
