package io.penstock.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.release.Staging.Result;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the Debian package on a copy of this machine. systemd boots the copy. The commands for the installation and for the use of the
 * package are copied from docs/release.md.
 */
@NeedsProgram({Program.CURL, Program.DPKG, Program.SYSTEMD_ANALYZE, Program.SYSTEMD_NSPAWN, Program.UNSHARE})
class DebianPackageIT {
    private static final String SECTION = "The Debian package";

    @TempDir
    Path folder;

    private void runSuccessfully(String... command) throws Exception {
        Result result = Staging.run(folder, List.of(command));
        assertEquals(0, result.exitCode(), result.text());
    }

    /** Creates the same package with a higher version, and with a change in the default configuration file. */
    private void createNewerPackage(Path deb, Path newer) throws Exception {
        Path unpacked = folder.resolve("unpacked");
        runSuccessfully("dpkg-deb", "-R", deb.toString(), unpacked.toString());
        Path control = unpacked.resolve("DEBIAN/control");
        Files.writeString(control, Files.readString(control).replaceFirst("(?m)^Version: .*", "Version: 999"));
        Path configuration = unpacked.resolve("etc/penstock/penstock.properties");
        Files.writeString(configuration, Files.readString(configuration) + "# a new default\n");
        runSuccessfully("dpkg-deb", "-Znone", "--root-owner-group", "-b", unpacked.toString(), newer.toString());
    }

    @Test
    void thePackageIsInstalledAndUsedAndUpdatedAndRemovedAndPurged() throws Exception {
        BootedMachine.require(folder);
        BootedMachine machine = new BootedMachine(Files.createDirectory(folder.resolve("machine")));
        Path deb = Staging.file("penstock_" + Staging.version() + "_all.deb");
        Files.copy(deb, machine.files().resolve(deb.getFileName()));
        createNewerPackage(deb, machine.files().resolve("newer.deb"));
        for (var script : List.of(
                List.of("install.sh", "apt install"),
                List.of("train.sh", "--train"),
                List.of("socket.sh", "socket.conf"),
                List.of("port.sh", "port.conf"))) {
            Files.writeString(
                    machine.files().resolve(script.get(0)), Commands.with(script.get(1), "release.md", SECTION));
        }
        Result result = machine.run("debian.sh");
        assertEquals(0, result.exitCode(), result.text());
        assertTrue(result.text().endsWith("== done\n"), result.text());
    }
}
