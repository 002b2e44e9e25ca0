package io.penstock.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests when the script {@code release/stage} requires the former release, and which folders the script accepts. The former release is the
 * release before the new release. The script runs in a repository without sources, so it builds nothing.
 */
@NeedsProgram(Program.GIT)
class StageIT {
    private static final String NONE = "API check: there is no former release";

    @TempDir
    Path folder;

    private Path repository;

    @BeforeEach
    void makeARepository() throws Exception {
        repository = folder.resolve("repository");
        Path script = repository.resolve("release/stage");
        Files.createDirectories(script.getParent());
        Files.copy(Path.of(System.getProperty("penstock.root"), "release/stage"), script);
        Files.copy(
                Path.of(System.getProperty("penstock.root"), "release/former-tag"),
                script.resolveSibling("former-tag"));
        git("init", "--quiet");
        git("add", ".");
        commit();
    }

    private void git(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Program.GIT.path().toString(),
                "-c",
                "user.name=nobody",
                "-c",
                "user.email=nobody@penstock.example",
                "-c",
                "commit.gpgSign=false",
                "-c",
                "tag.gpgSign=false"));
        command.addAll(List.of(arguments));
        Staging.Result result = Staging.run(repository, command);
        assertEquals(0, result.exitCode(), result.text());
    }

    private void commit() throws Exception {
        git("commit", "--quiet", "--allow-empty", "--message", "commit");
    }

    private Staging.Result stage(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "bash",
                "release/stage",
                "0.1.1",
                folder.resolve("staged").toString(),
                "--home",
                "https://a.example",
                "--no-site"));
        command.addAll(List.of(options));
        return Staging.run(repository, command);
    }

    private void assertRefused(String message, Staging.Result result) {
        assertEquals(2, result.exitCode(), result.text());
        assertTrue(result.text().contains(message), result.text());
        assertFalse(Files.exists(folder.resolve("staged")), "the script has created the folder of the release");
    }

    /**
     * Checks that the script has accepted its arguments, and has printed nothing about a former release. After that, the script fails,
     * since the repository has no pom.xml.
     */
    private void assertArgumentsAreAccepted(Staging.Result result) {
        assertTrue(result.text().contains("pom.xml"), result.text());
        assertFalse(result.text().contains("former"), result.text());
        assertTrue(Files.exists(folder.resolve("staged")), result.text());
    }

    /** Creates a folder with the BOMs of the given versions, and returns the path of the folder. */
    private String released(String repositoryFolder, String... versions) throws Exception {
        Path former = folder.resolve("former");
        for (String version : versions) {
            Path bom = former.resolve(repositoryFolder).resolve("io/penstock/penstock-bom/" + version);
            Files.createDirectories(bom);
            Files.writeString(bom.resolve("penstock-bom-" + version + ".pom"), "<project/>");
        }
        return Files.createDirectories(former).toString();
    }

    @Test
    void aRepositoryWithoutATagHasNoFormerRelease() throws Exception {
        Staging.Result result = stage("--test");
        assertTrue(result.text().contains(NONE), result.text());
    }

    @Test
    void theTagOfThisReleaseIsNotAFormerRelease() throws Exception {
        git("tag", "v0.1.1");
        Staging.Result result = stage("--test");
        assertTrue(result.text().contains(NONE), result.text());
    }

    @Test
    void theFormerOptionIsRequiredIfThereIsATagOfAnEarlierRelease() throws Exception {
        git("tag", "v0.0.9");
        git("tag", "v0.1.0-rc1");
        git("tag", "v0.1.0");
        commit();
        assertRefused("v0.1.0 is a former release. Add --former FOLDER", stage("--test"));
    }

    @Test
    void aFolderIsRefusedIfItsReleaseIsOlderThanTheFormerRelease() throws Exception {
        git("tag", "v0.0.9");
        git("tag", "v0.1.0");
        commit();
        assertRefused(
                "has version 0.0.9, but the release before this commit is v0.1.0",
                stage("--test", "--former", released("maven", "0.0.9")));
    }

    @Test
    void theFormerOptionIsRequiredIfTheTagOfThisVersionIsAtAnotherCommit() throws Exception {
        git("tag", "v0.1.1");
        commit();
        assertRefused("v0.1.1 is a former release. Add --former FOLDER", stage("--test"));
    }

    @Test
    void theFormerReleaseIsNotRequiredWithoutTheTestOption() throws Exception {
        git("tag", "v0.1.0");
        commit();
        assertArgumentsAreAccepted(stage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"maven", ""})
    void theFormerReleaseMayBeAStagedFolderOrAMavenRepository(String repositoryFolder) throws Exception {
        git("tag", "v0.1.0");
        commit();
        assertArgumentsAreAccepted(stage("--test", "--former", released(repositoryFolder, "0.1.0")));
    }

    @Test
    void aFolderWithoutAReleaseIsRefused() throws Exception {
        assertRefused("--former: there is no release in " + folder, stage("--former", released("maven")));
        assertRefused("--former: there is no release in /nowhere", stage("--former", "/nowhere"));
    }

    @Test
    void aFolderWithTwoReleasesIsRefused() throws Exception {
        assertRefused("has several releases: 0.0.9 0.1.0", stage("--former", released("", "0.0.9", "0.1.0")));
    }

    @Test
    void aFormerReleaseWithTheVersionOfTheNewReleaseIsRefused() throws Exception {
        assertRefused("has version 0.1.1, as the new release", stage("--former", released("maven", "0.1.1")));
    }
}
