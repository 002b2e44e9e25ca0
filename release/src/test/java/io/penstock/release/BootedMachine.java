package io.penstock.release;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.testing.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A copy of this machine in separate namespaces. systemd boots the copy, and runs one script in the copy. After that, all changes are
 * discarded.
 *
 * @param folder an empty folder
 */
record BootedMachine(Path folder) {

    /** Returns the folder with the files for the script. */
    Path files() throws IOException {
        return Files.createDirectories(folder.resolve("trial"));
    }

    /** @param script the name of a resource in the package of this class */
    Staging.Result run(String script) throws Exception {
        copy("lib.sh", files().resolve("lib.sh"));
        copy(script, files().resolve("trial.sh"));
        Path boot = folder.resolve("boot.sh");
        copy("boot.sh", boot);
        Path empty = Files.createDirectory(folder.resolve("empty"));
        return Staging.run(
                folder,
                List.of(
                        Program.UNSHARE.path().toString(),
                        "-m",
                        "bash",
                        boot.toString(),
                        empty.toString(),
                        files().toString()));
    }

    private static void copy(String resource, Path file) throws IOException {
        try (InputStream content = BootedMachine.class.getResourceAsStream(resource)) {
            Files.write(file, content.readAllBytes());
        }
    }

    /** Skips the test if this system cannot boot a copy with systemd. Most containers cannot do this. */
    static void require(Path folder) throws Exception {
        Namespaces.require(folder);
        Staging.Result result = Staging.run(
                folder,
                List.of(
                        Program.SYSTEMD_NSPAWN.path().toString(),
                        "--quiet",
                        "--directory=/",
                        "--volatile=yes",
                        "--register=no",
                        "--keep-unit",
                        "--private-network",
                        "--console=pipe",
                        "true"));
        assumeTrue(result.exitCode() == 0, () -> "systemd-nspawn cannot start containers here: " + result.text());
    }
}
