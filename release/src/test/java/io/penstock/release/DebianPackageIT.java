package io.penstock.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.release.Staging.Said;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Debian package, installed on a copy of this machine: used, upgraded, removed, purged. */
@NeedsProgram({Program.CURL, Program.DPKG, Program.IP, Program.SYSTEMD_ANALYZE, Program.UNSHARE})
class DebianPackageIT {
    @TempDir
    Path folder;

    private void must(String... command) throws Exception {
        Said said = Staging.run(folder, List.of(command));
        assertEquals(0, said.exitCode(), said.text());
    }

    /** The same with a higher version, and another default in a configuration file. */
    private Path newer(Path deb) throws Exception {
        Path unpacked = folder.resolve("unpacked");
        must("dpkg-deb", "-R", deb.toString(), unpacked.toString());
        Path control = unpacked.resolve("DEBIAN/control");
        Files.writeString(control, Files.readString(control).replaceFirst("(?m)^Version: .*", "Version: 999"));
        Path configuration = unpacked.resolve("etc/penstock/penstock.properties");
        Files.writeString(configuration, Files.readString(configuration) + "# a new default\n");
        Path newer = folder.resolve("newer.deb");
        must("dpkg-deb", "--root-owner-group", "-b", unpacked.toString(), newer.toString());
        return newer;
    }

    private Path script() throws IOException {
        try (InputStream script = DebianPackageIT.class.getResourceAsStream("debian.sh")) {
            Path file = folder.resolve("debian.sh");
            Files.write(file, script.readAllBytes());
            return file;
        }
    }

    @Test
    void itIsInstalledUsedUpgradedRemovedAndPurged() throws Exception {
        Namespaces.require(folder);
        Path deb = Staging.file("penstock_" + Staging.version() + "_all.deb");
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Said said = Staging.run(
                folder,
                List.of(
                        "unshare",
                        "-m",
                        "-n",
                        "-p",
                        "-f",
                        "--kill-child",
                        "bash",
                        script().toString(),
                        empty.toString(),
                        deb.toString(),
                        newer(deb).toString()));
        assertEquals(0, said.exitCode(), said.text());
        assertTrue(said.text().endsWith("== done\n"), said.text());
    }
}
