package io.penstock.release;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;

/**
 * Skips a test that mounts file systems if this system does not permit mounts. Only root can mount file systems. Many containers do not
 * permit mounts, even to root.
 */
final class Namespaces {
    private Namespaces() {}

    static void require(Path folder) throws Exception {
        Staging.Result result =
                Staging.run(folder, List.of("unshare", "-m", "-n", "mount", "-t", "tmpfs", "tmpfs", folder.toString()));
        assumeTrue(result.exitCode() == 0, () -> "this system does not permit mounts: " + result.text());
    }
}
