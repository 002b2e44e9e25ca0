package io.penstock.release;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;

/** Tests that mount file systems must run as root, on a system that permits mounts. Containers often do not. */
final class Namespaces {
    private Namespaces() {}

    static void require(Path folder) throws Exception {
        Staging.Said said =
                Staging.run(folder, List.of("unshare", "-m", "-n", "mount", "-t", "tmpfs", "tmpfs", folder.toString()));
        assumeTrue(said.exitCode() == 0, () -> "this system permits no mounts: " + said.text());
    }
}
