package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the error messages for mistakes on the command line, in the configuration file, and in environment variables. Each message is one
 * line.
 */
class CommandErrorTest {

    @TempDir
    Path folder;

    @Test
    void anUnknownOptionIsAnError() {
        Ran.with("--prot", "80", "x")
                .assertUsageError("unknown option --prot; did you mean --port? (--help-all lists all)");
        Ran.with("-p", "80").assertUsageError("unknown option -p (--help-all lists all)");
        Ran.with("--tls-keystore-pasword=secret")
                .assertUsageError(
                        "unknown option --tls-keystore-pasword; did you mean --tls-keystore? (--help-all lists all)");
        Ran.with("--check=yes").assertUsageError("option --check has no value");
        Ran.with("--work", "4")
                .assertUsageError("unknown option --work; did you mean --workers? (--help-all lists all)");
    }

    @Test
    void theErrorForAKeyThatOnlyAnApplicationCanHaveSaysHowToWriteIt() {
        Ran.with("--directory-listing=on", "x")
                .assertUsageError(
                        "--directory-listing is a setting of one application: write /shop:directory-listing, or"
                                + " /:directory-listing for the root");
        Ran.with("--directory-listng=on", "x")
                .assertUsageError(
                        "unknown option --directory-listng; did you mean --/shop:directory-listing? (--help-all lists all)");
        Ran.with(Map.of("PENSTOCK_MAX_QUEUED", "3"), folder.toString())
                .assertUsageError(
                        "PENSTOCK_MAX_QUEUED is a setting of one path: write /shop:max-queued, or /:max-queued for"
                                + " the root");
    }

    @Test
    void aMissingValueIsAnError() {
        Ran.with("--port").assertUsageError("Missing required parameter for option '--port' (<number>)");
        Ran.with("--port", "--check").assertUsageError("Missing required parameter for option '--port' (<number>)");
        Ran.with("--config").assertUsageError("Missing required parameter for option '--config' (FILE)");
    }

    @Test
    void anOptionThatIsGivenTwiceIsAnError() {
        Ran.with("--port", "1", "--port", "2")
                .assertUsageError("option '--port' (<number>) should be specified only once");
        Ran.with("--check", "--check").assertUsageError("option '--check' should be specified only once");
    }

    @Test
    void theErrorForAnInvalidValueContainsTheOriginOfTheValue() {
        Ran.with("--workers", "many", folder.toString())
                .assertUsageError("workers: 'many' is not a whole number (from --workers)");
        Ran.with("65536", folder.toString())
                .assertUsageError("port must be at most 65535, not 65536 (from argument 65536)");
        Ran.with(Map.of("PENSTOCK_WORKERS", "0"), folder.toString())
                .assertUsageError("workers must be at least 1, not 0 (from PENSTOCK_WORKERS)");
    }

    @Test
    void theErrorForAnUnknownKeyContainsTheFileAndTheLine() throws IOException {
        Path file = Files.writeString(folder.resolve("p.properties"), "\nworker=4\n");
        Ran.with("--config", file.toString(), folder.toString())
                .assertUsageError("unknown key 'worker'; did you mean 'workers'? (from " + file + ":2)");
    }

    @Test
    void anInvalidSettingOfAnApplicationIsAnError() {
        Ran.with("--/shop:exclude-scam", "x", folder.toString())
                .assertUsageError("unknown key 'exclude-scam' of the application /shop; did you mean 'exclude-scan'?"
                        + " (from --/shop:exclude-scam)");
        Ran.with("--/shop:exclude-scan").assertUsageError("--/shop:exclude-scan: a value is missing");
        Ran.with("--/a:exclude-scan=x", "--/a:exclude-scan=y").assertUsageError("--/a:exclude-scan is given twice");
        Ran.with("--override-web-xml", "shop.xml", folder.toString())
                .assertUsageError("--override-web-xml needs the context path and the file, /shop=FILE, not shop.xml");
    }

    @Test
    void theOptionDevWithAFileIsAnError() throws IOException {
        Path war = Files.writeString(folder.resolve("shop.war"), "");
        Ran.with("--dev", war.toString()).assertUsageError("--dev serves folders, but " + war + " is a file");
    }

    @Test
    void theOptionSourcesNeedsAFolderAndTheOptionDevWithOneApplication() {
        Ran.with("--dev", "--sources", folder.resolve("none").toString(), folder.toString())
                .assertUsageError("--sources: no such folder: " + folder.resolve("none"));
        Ran.with("--sources", folder.toString(), folder.toString())
                .assertUsageError("--sources needs --dev and one APP, which the sources belong to");
        Ran.with("--dev", "--sources", folder.toString(), "/a=" + folder, "/b=" + folder)
                .assertUsageError("--sources needs --dev and one APP, which the sources belong to");
    }

    @Test
    void theOptionMigrateJavaxWithoutTheMigrationLibraryIsAnError() {
        Ran.with("--migrate-javax", folder.toString())
                .assertError(
                        1,
                        "migrate-javax: this server has no library for it; put penstock-javaee-migration.jar beside penstock.jar,"
                                + " or on the class path");
    }

    /** Without {@code --webapps}, no application can be added later. So this setting must be a mistake. */
    @Test
    void aSettingForAnUnknownApplicationIsAnError() {
        Ran.with("--/shpo:exclude-scan=x", "/shop=" + folder)
                .assertUsageError(
                        "/shpo:exclude-scan: no application has the context path /shpo (from --/shpo:exclude-scan)");
    }

    @Test
    void aSettingForAnUnknownHostIsAnError() {
        Ran.with("--//b.example/shop:exclude-scan=x", "//a.example/shop=" + folder)
                .assertUsageError("//b.example/shop:exclude-scan: no application has the context path //b.example/shop"
                        + " (from --//b.example/shop:exclude-scan)");
        Ran.with("--tls-self-signed", "--//b.example:client-auth=none", "//a.example/shop=" + folder)
                .assertUsageError("//b.example/:client-auth: no application has the host of //b.example/"
                        + " (from --//b.example:client-auth)");
    }

    @Test
    void aBulkheadWithAPathOutsideAllApplicationsIsAnError() {
        Ran.with("--/shpo/export:max-workers=2", "/shop=" + folder)
                .assertUsageError("/shpo/export:max-workers: no application has the context path /shpo/export"
                        + " (from --/shpo/export:max-workers)");
        Ran.with("--/shopping:max-workers=2", "/shop=" + folder)
                .assertUsageError("/shopping:max-workers: no application has the context path /shopping"
                        + " (from --/shopping:max-workers)");
    }

    @Test
    void anUnknownEnvironmentVariableIsAnError() {
        Ran.with(Map.of("PENSTOCK_WORKER", "4"), folder.toString())
                .assertUsageError("unknown environment variable PENSTOCK_WORKER; did you mean PENSTOCK_WORKERS?");
    }

    @Test
    void aMissingConfigurationFileIsAnError() {
        Path missing = folder.resolve("missing.properties");
        Ran.with("--config", missing.toString(), folder.toString())
                .assertUsageError("cannot read the configuration file " + missing + ": no such file");
    }

    @Test
    void aMissingApplicationIsAnError() {
        Ran.with("missing.war").assertError(1, "no such file or folder: missing.war");
    }

    @Test
    void aCommandLineWithoutAnApplicationIsAnError() {
        Ran.with().assertUsageError("nothing to serve: name a .war file or a folder (see --help)");
        Ran.with("8080").assertUsageError("nothing to serve: name a .war file or a folder (see --help)");
    }

    /**
     * An installed release serves its folder {@code webapps}, so most options need no application on the command line. The two options of
     * this test still need an application.
     */
    @Test
    void anInstalledReleaseStillNeedsAnApplicationForTheOptionDevOrPrintDescriptor() {
        Distribution distribution = new Distribution(folder);
        for (String option : List.of("--dev", "--print-descriptor")) {
            Ran.with(distribution, Map.of(), option)
                    .assertUsageError("nothing to serve: name a .war file or a folder (see --help)");
        }
    }

    @Test
    void theOptionDumpWithAnInvalidProcessIdIsAnError() {
        Ran.with("--dump", "none").assertOneLineStartingWith(1, "penstock: cannot ask process none: ");
    }

    @Test
    void theOptionTrainIsAnErrorIfTheServerDoesNotRunFromItsJar() {
        Ran.with("--train", folder.toString())
                .assertOneLineStartingWith(
                        1, "penstock: --train: an archive is for penstock.jar, and this server runs from ");
    }

    @Test
    void aPortAsAnOptionAndAsAnArgumentIsAnError() {
        Ran.with("--port", "80", "8080", folder.toString())
                .assertUsageError("the port is given twice: by --port and as 8080");
    }

    @Test
    void theOptionStacktracePrintsTheStackTraceAfterTheMessage() {
        Ran ran = Ran.with("--stacktrace", "--workers", "many");
        assertEquals(
                "penstock: workers: 'many' is not a whole number (from --workers)",
                ran.err().lines().findFirst().orElseThrow());
        assertTrue(ran.err().contains("\tat "), ran.err());
    }

    @Test
    void theErrorForAFileThatCannotBeReadHasTheReason() throws IOException {
        Path missing = folder.resolve("missing");
        Ran.with("--config", missing.toString(), folder.toString())
                .assertUsageError("cannot read the configuration file " + missing + ": no such file");
        Ran.with("--data-sources", missing.toString(), folder.toString())
                .assertUsageError("data-sources: cannot read the file of data sources " + missing + ": no such file");
        Ran.with("--data-sources", folder.toString(), folder.toString())
                .assertUsageError("data-sources: cannot read the file of data sources " + folder + ": Is a directory");
    }
}
