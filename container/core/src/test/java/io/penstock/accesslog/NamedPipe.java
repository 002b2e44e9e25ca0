package io.penstock.accesslog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.condition.OS;

/** Makes a named pipe. A write to the pipe waits for a reader. So the pipe simulates a disk that does not respond. */
final class NamedPipe {
    private NamedPipe() {}

    static Path make(Path folder) throws IOException, InterruptedException {
        assumeTrue(OS.LINUX.isCurrentOs(), "the test needs named pipes");
        assumeTrue(isOnPath() || "true".equals(System.getenv("CI")), "mkfifo is missing (Debian package: coreutils)");
        Path pipe = folder.resolve("pipe.log");
        Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
        assertEquals(true, made.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, made.exitValue());
        return pipe;
    }

    private static boolean isOnPath() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "mkfifo")));
    }
}
