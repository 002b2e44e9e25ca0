package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the systemd units in the documents. systemd must report no problem, and the service must have restricted rights. */
class SystemdUnitTest {
    private static final Path UNIT = Path.of("..", "..", "docs", "penstock.service");

    /**
     * The maximum exposure level of {@code systemd-analyze security}, in tenths: 20 means level 2.0. At level 10.0, a service has no
     * protection. Levels up to 2.0 are rated as "OK" or better.
     */
    private static final String MAX_EXPOSURE = "20";

    @TempDir
    Path folder;

    private record Output(int exitCode, String text) {}

    private static Output systemdAnalyze(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(Program.SYSTEMD_ANALYZE.path().toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Output(process.waitFor(), text);
    }

    /**
     * Copies the unit, and returns the path of the copy. systemd checks that the program in the unit exists, so the copy contains the path
     * of Java on this machine.
     */
    private String unit() throws IOException {
        Path program = Path.of(System.getProperty("java.home"), "bin", "java");
        String unit = Files.readString(UNIT).replace("/opt/penstock/bin/penstock --", program + " --");
        return Files.writeString(folder.resolve("penstock.service"), unit).toString();
    }

    @Test
    @NeedsProgram(Program.SYSTEMD_ANALYZE)
    void systemdFindsNoProblemInTheServiceUnit() throws Exception {
        Output output = systemdAnalyze("verify", "--man=no", unit());
        assertEquals(0, output.exitCode(), output.text());
        assertEquals(
                List.of(),
                output.text()
                        .lines()
                        .filter(line -> line.contains("penstock.service"))
                        .toList());
    }

    /** Tests the socket unit and the drop-in file of the service unit. Both are in {@code docs/production.md}. */
    @Test
    @NeedsProgram(Program.SYSTEMD_ANALYZE)
    void systemdFindsNoProblemInTheUnitsForSocketActivation() throws Exception {
        Path socket = Files.writeString(
                folder.resolve("penstock.socket"), ProductionDocument.block("ini", "[Socket]", Map.of()));
        String service = unit();
        Path dropIns = Files.createDirectory(folder.resolve("penstock.service.d"));
        Files.writeString(dropIns.resolve("socket.conf"), ProductionDocument.block("ini", "[Service]", Map.of()));
        Output output = systemdAnalyze("verify", "--man=no", socket.toString(), service);
        assertEquals(0, output.exitCode(), output.text());
        assertEquals(
                List.of(),
                output.text().lines().filter(line -> line.contains("penstock")).toList());
    }

    @Test
    @NeedsProgram(Program.SYSTEMD_ANALYZE)
    void theServiceUnitRestrictsTheRightsOfTheServer() throws Exception {
        Output output =
                systemdAnalyze("security", "--offline=true", "--no-pager", "--threshold=" + MAX_EXPOSURE, unit());
        assertEquals(0, output.exitCode(), output.text());
        assertTrue(output.text().contains("Overall exposure level"), output.text());
    }

    @Test
    void theServiceUnitPreventsARestartAfterAUsageErrorAndAcceptsExitCode143() throws Exception {
        List<String> lines = Files.readAllLines(UNIT);
        assertTrue(lines.contains("RestartPreventExitStatus=" + ExitCode.USAGE.number()));
        assertTrue(lines.contains("Restart=on-failure"));
        assertTrue(lines.contains("SuccessExitStatus=143"));
    }

    /**
     * The administrator can restart the server any number of times. After a failure, systemd waits before it restarts the server. So a
     * server that always fails does not use the whole processor.
     */
    @Test
    void theUnitsLimitTheRateOfAutomaticRestartsButNotOfManualRestarts() throws Exception {
        List<String> lines = Files.readAllLines(UNIT);
        assertTrue(lines.contains("StartLimitIntervalSec=0"));
        assertTrue(lines.contains("RestartSec=5"));
        String socket = ProductionDocument.block("ini", "[Socket]", Map.of());
        assertTrue(socket.contains("\nTriggerLimitIntervalSec=1min\nTriggerLimitBurst=10\n"), socket);
    }

    @Test
    void theServiceUnitHasAUserAndAGroupAndAnInstallTarget() throws Exception {
        List<String> lines = Files.readAllLines(UNIT);
        assertTrue(lines.contains("User=penstock"));
        assertTrue(lines.contains("Group=penstock"));
        assertEquals("WantedBy=multi-user.target", lines.get(lines.indexOf("[Install]") + 1));
    }
}
