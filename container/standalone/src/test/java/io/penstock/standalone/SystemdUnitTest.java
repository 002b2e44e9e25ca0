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

/** systemd accepts the unit in the documents without changes. The unit gives the server only the rights that it needs. */
class SystemdUnitTest {
    private static final Path UNIT = Path.of("..", "..", "docs", "penstock.service");

    /**
     * The maximum exposure level, in tenths. The scale of {@code systemd-analyze security} ends at 10, which means no protection. Values up
     * to 2.0 are rated as "OK" or better.
     */
    private static final String MOST_EXPOSED = "20";

    @TempDir
    Path folder;

    private record Said(int exitCode, String text) {}

    private static Said systemdAnalyze(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(Program.SYSTEMD_ANALYZE.path().toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text);
    }

    /** Returns the path of the unit with a program of this machine. systemd checks that the program exists. */
    private String unit() throws IOException {
        Path program = Path.of(System.getProperty("java.home"), "bin", "java");
        String unit = Files.readString(UNIT).replace("/opt/penstock/bin/penstock --", program + " --");
        return Files.writeString(folder.resolve("penstock.service"), unit).toString();
    }

    @Test
    @NeedsProgram(Program.SYSTEMD_ANALYZE)
    void systemdFindsNoProblemInTheUnit() throws Exception {
        Said said = systemdAnalyze("verify", "--man=no", unit());
        assertEquals(0, said.exitCode(), said.text());
        assertEquals(
                List.of(),
                said.text()
                        .lines()
                        .filter(line -> line.contains("penstock.service"))
                        .toList());
    }

    /** Tests the units of the socket in the document, together with the unit of the server. */
    @Test
    @NeedsProgram(Program.SYSTEMD_ANALYZE)
    void systemdFindsNoProblemInTheUnitsOfTheSocket() throws Exception {
        Path socket = Files.writeString(
                folder.resolve("penstock.socket"), ProductionDocument.block("ini", "[Socket]", Map.of()));
        String service = unit();
        Path dropIns = Files.createDirectory(folder.resolve("penstock.service.d"));
        Files.writeString(dropIns.resolve("socket.conf"), ProductionDocument.block("ini", "[Service]", Map.of()));
        Said said = systemdAnalyze("verify", "--man=no", socket.toString(), service);
        assertEquals(0, said.exitCode(), said.text());
        assertEquals(
                List.of(),
                said.text().lines().filter(line -> line.contains("penstock")).toList());
    }

    @Test
    @NeedsProgram(Program.SYSTEMD_ANALYZE)
    void theUnitRestrictsTheRightsOfTheServer() throws Exception {
        Said said = systemdAnalyze("security", "--offline=true", "--no-pager", "--threshold=" + MOST_EXPOSED, unit());
        assertEquals(0, said.exitCode(), said.text());
        assertTrue(said.text().contains("Overall exposure level"), said.text());
    }

    @Test
    void anInvalidConfigurationIsNotRetriedAndAStopIsNotAFailure() throws Exception {
        List<String> lines = Files.readAllLines(UNIT);
        assertTrue(lines.contains("RestartPreventExitStatus=" + ExitCode.USAGE.number()));
        assertTrue(lines.contains("Restart=on-failure"));
        assertTrue(lines.contains("SuccessExitStatus=143"));
    }

    @Test
    void theUnitHasUserGroupAndInstallTarget() throws Exception {
        List<String> lines = Files.readAllLines(UNIT);
        assertTrue(lines.contains("User=penstock"));
        assertTrue(lines.contains("Group=penstock"));
        assertEquals("WantedBy=multi-user.target", lines.get(lines.indexOf("[Install]") + 1));
    }
}
