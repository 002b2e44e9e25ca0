package io.penstock.release;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;

/**
 * Skips tests that mount file systems if mounts are not permitted. Mounts need root, and containers often do not permit them even to root.
 */
final class Namespaces {
    private Namespaces() {}

    static void require(Path folder) throws Exception {
        Staging.Said said =
                Staging.run(folder, List.of("unshare", "-m", "-n", "mount", "-t", "tmpfs", "tmpfs", folder.toString()));
        assumeTrue(said.exitCode() == 0, () -> "this system permits no mounts: " + said.text());
    }
}
