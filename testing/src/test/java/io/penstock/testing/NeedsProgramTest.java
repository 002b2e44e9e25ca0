package io.penstock.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the annotation {@link NeedsProgram}. If a program is missing, the tests that need the program are skipped, and a summary lists the
 * skipped tests. On a CI machine, these tests fail instead.
 */
class NeedsProgramTest {
    @TempDir
    Path folder;

    private Path skipped;

    @BeforeEach
    void setSummaryFolder() {
        skipped = folder.resolve("skipped");
    }

    private ProgramCondition machineWith(Program... programs) {
        return new ProgramCondition(List.of(programs)::contains, false, skipped);
    }

    private List<String> summary() throws IOException {
        try (Stream<Path> files = Files.list(skipped)) {
            return files.sorted().map(NeedsProgramTest::text).toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aTestRunsIfAllItsProgramsAreInstalled() {
        ConditionEvaluationResult result = machineWith(Program.CHROMIUM, Program.CHROMEDRIVER, Program.NGINX)
                .evaluate("org.example.PageIT", Program.CHROMIUM, Program.CHROMEDRIVER);
        assertFalse(result.isDisabled());
        assertFalse(Files.exists(skipped), "the test is in the summary");
    }

    @Test
    void aSkippedTestIsInTheSummaryWithThePackageToInstall() throws IOException {
        ConditionEvaluationResult result =
                machineWith(Program.CHROMIUM).evaluate("org.example.PageIT", Program.CHROMIUM, Program.CHROMEDRIVER);
        assertTrue(result.isDisabled());
        String line = "org.example.PageIT needs chromedriver: install chromium-driver";
        assertEquals(Optional.of(line), result.getReason());
        assertEquals(List.of(line + System.lineSeparator()), summary());
    }

    @Test
    void allSkippedTestsAreInTheSummaryAndEachPackageIsNamedOnce() throws IOException {
        ProgramCondition machine = machineWith();
        machine.evaluate("org.example.SecondIT", Program.PROMTOOL, Program.PROMETHEUS);
        machine.evaluate("org.example.FirstIT.method", Program.NGINX);
        assertEquals(
                List.of(
                        "org.example.FirstIT.method needs nginx: install nginx" + System.lineSeparator(),
                        "org.example.SecondIT needs prometheus promtool: install prometheus" + System.lineSeparator()),
                summary());
    }

    @Test
    void aTestIsAlsoSkippedIfThereIsNoSummaryFolder() {
        ProgramCondition machine = new ProgramCondition(program -> false, false, null);
        assertTrue(machine.evaluate("org.example.PageIT", Program.NGINX).isDisabled());
    }

    @Test
    void aMissingProgramIsAFailureOnACiMachine() {
        ProgramCondition machine = new ProgramCondition(program -> false, true, skipped);
        IllegalStateException failure =
                assertThrows(IllegalStateException.class, () -> machine.evaluate("org.example.PageIT", Program.NGINX));
        assertEquals(
                "org.example.PageIT needs nginx: install nginx (with CI=true, no test is skipped)",
                failure.getMessage());
        assertFalse(Files.exists(skipped), "the test is in the summary of skipped tests");
    }

    @Test
    void theFirstExecutableFileInTheSearchPathIsUsed() throws IOException {
        Path plain = Files.createDirectory(folder.resolve("plain"));
        Files.writeString(plain.resolve("nginx"), "no program");
        Path second = program("second");
        Path third = program("third");
        String folders =
                String.join(File.pathSeparator, "/nowhere", "", plain.toString(), second.toString(), third.toString());
        assertEquals(Optional.of(second.resolve("nginx")), Program.NGINX.find(folders));
        assertEquals(Optional.empty(), Program.GIT.find(folders));
    }

    private Path program(String name) throws IOException {
        Path made = Files.createDirectory(folder.resolve(name));
        assertTrue(Files.createFile(made.resolve("nginx")).toFile().setExecutable(true));
        return made;
    }

    @Test
    void theCiScriptInstallsThePackagesOfAllPrograms() throws IOException {
        String script = Files.readString(Path.of("..", ".ci", "run"));
        for (Program program : Program.values()) {
            assertTrue(
                    script.contains("\n  " + program + " " + program.debianPackage() + "\n"),
                    () -> program + " is missing in .ci/run");
        }
    }
}
