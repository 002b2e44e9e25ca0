package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Configuration;
import io.penstock.limits.Key;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests options that only print: {@code --print-config}, {@code --print-descriptor}, {@code --help} and {@code --version}. */
class PrintConfigTest {

    @TempDir
    Path folder;

    @Test
    void theConfigurationIsPrintedWithTheValueAndTheOriginOfEachKey() throws IOException {
        Path file = Files.writeString(
                folder.resolve("penstock.properties"), "workers = 5\nqueue = 50\nport = 5000\nbody-limit = 1048576\n");
        Ran ran = Ran.with(
                Map.of("PENSTOCK_QUEUE", "60", "PENSTOCK_PORT", "6000"),
                "--print-config",
                "--config",
                file.toString(),
                "--port=7000");
        assertEquals(0, ran.exitCode());
        assertEquals("", ran.err());
        List<String> lines =
                ran.out().lines().map(line -> line.replaceAll(" +", " ")).toList();
        assertEquals(Key.values().length, lines.size());
        assertTrue(lines.contains("workers = 5 " + file + ":1"), ran.out());
        assertTrue(lines.contains("queue = 60 PENSTOCK_QUEUE"), ran.out());
        assertTrue(lines.contains("port = 7000 --port"), ran.out());
        assertTrue(lines.contains("body-limit = 1M " + file + ":4"), ran.out());
        assertTrue(lines.contains("max-streaming = 2 default"), ran.out());
        assertTrue(lines.contains("request-encoding = UTF-8 default of penstock.jar"), ran.out());
    }

    @Test
    void onlyTheSettingsThatDifferFromTheirDefaultsArePrintedIfWanted() throws IOException {
        assertEquals("", Ran.with("--print-config", "--changed").out());
        Path file = Files.writeString(
                folder.resolve("penstock.properties"),
                "workers = 5\nqueue-age = 10s\nbody-limit = 2G\nrequest-encoding = UTF-8\nresponse-encoding = none\n"
                        + "/shop:exclude-scan = a.jar\n");
        Ran ran = Ran.with(
                Map.of("PENSTOCK_ADMIN_TOKEN", "a-long-and-secret-token"),
                "--print-config",
                "--changed",
                "--config",
                file.toString());
        assertEquals("", ran.err());
        assertEquals(
                List.of(
                        "admin-token = (hidden) PENSTOCK_ADMIN_TOKEN",
                        "workers = 5 " + file + ":1",
                        "response-encoding = none " + file + ":5",
                        "/shop:exclude-scan = a.jar " + file + ":6"),
                ran.out().lines().map(line -> line.replaceAll(" +", " ")).toList());
        Ran.with("--changed", folder.toString()).assertUsageError("--changed needs --print-config");
    }

    private static String line(Ran ran, String key) {
        assertEquals("", ran.err());
        return ran.out()
                .lines()
                .filter(line -> line.startsWith(key + " "))
                .findFirst()
                .orElseThrow()
                .replaceAll(" +", " ");
    }

    @Test
    void anInstalledReleaseUsesTheConfigurationInItsFolder() throws IOException {
        Path file = Files.createDirectory(folder.resolve("conf")).resolve("penstock.properties");
        Files.writeString(file, "webapps = /srv/webapps\nworkers = 5\n");
        Distribution distribution = new Distribution(folder);
        for (List<String> given : List.of(List.of("--queue", "9"), List.of("8081"), List.of("--check"))) {
            List<String> arguments = new ArrayList<>(given);
            arguments.add("--print-config");
            Ran ran = Ran.with(distribution, Map.of(), arguments.toArray(String[]::new));
            assertEquals("workers = 5 " + file + ":2", line(ran, "workers"));
            assertEquals(
                    "webapps = " + folder.resolve("webapps") + " the applications of " + folder, line(ran, "webapps"));
        }
        Ran environment = Ran.with(distribution, Map.of("PENSTOCK_WEBAPPS", "/own"), "--print-config");
        assertEquals("webapps = /own PENSTOCK_WEBAPPS", line(environment, "webapps"));
        assertEquals("workers = 5 " + file + ":2", line(environment, "workers"));
    }

    /** The first command line names a configuration file, the second a folder of applications, and the third an application. */
    @Test
    void theCommandLineReplacesTheConfigurationOfAnInstalledRelease() throws IOException {
        Path file = Files.writeString(folder.resolve("own.properties"), "webapps = /srv/webapps\n");
        Distribution distribution = new Distribution(folder.resolve("release"));
        Ran config = Ran.with(distribution, Map.of(), "--print-config", "--config", file.toString());
        assertEquals("webapps = /srv/webapps " + file + ":1", line(config, "webapps"));
        Ran webapps = Ran.with(distribution, Map.of(), "--print-config", "--webapps", "/own");
        assertEquals("webapps = /own --webapps", line(webapps, "webapps"));
        Ran application = Ran.with(distribution, Map.of(), "--print-config", folder.toString());
        assertEquals("webapps = none default", line(application, "webapps"));
    }

    @Test
    void aLongValueDoesNotMoveTheOriginColumnOfOtherLines() {
        String longValue = "a".repeat(200);
        String out = Ran.with("--print-config", "--host", longValue).out();
        assertTrue(out.contains(" = " + longValue + "  --host\n"), out);
        String workers = out.lines()
                .filter(line -> line.startsWith("workers "))
                .findFirst()
                .orElseThrow();
        assertTrue(workers.endsWith("  default") && workers.length() <= 80, workers);
    }

    @Test
    void theSettingsOfEachApplicationArePrintedWithTheirOrigin() throws IOException {
        Path file = Files.writeString(
                folder.resolve("penstock.properties"), "/shop:exclude-scan = poi-*.jar\n/:exclude-scan = file.jar\n");
        Ran ran = Ran.with(
                Map.of("PENSTOCK_APPLICATIONS", "/blog:exclude-scan = env.jar"),
                "--print-config",
                "--/:exclude-scan",
                "root.jar",
                "--config",
                file.toString(),
                "--/shop:exclude-initializers=org.x.*",
                "--override-web-xml",
                "/shop=shop.xml",
                "--override-web-xml=/blog=blog.xml");
        assertEquals("", ran.err());
        List<String> lines = ran.out()
                .lines()
                .map(line -> line.replaceAll(" +", " "))
                .skip(Key.values().length)
                .toList();
        assertEquals(
                List.of(
                        "/:exclude-scan = root.jar --/:exclude-scan",
                        "/blog:exclude-scan = env.jar PENSTOCK_APPLICATIONS, line 1",
                        "/blog:override-web-xml = blog.xml --override-web-xml",
                        "/shop:exclude-initializers = org.x.* --/shop:exclude-initializers",
                        "/shop:exclude-scan = poi-*.jar " + file + ":1",
                        "/shop:override-web-xml = shop.xml --override-web-xml"),
                lines);
    }

    @Test
    void aBooleanOptionNeedsNoValue() {
        Ran ran = Ran.with("--print-config", "--migrate-javax", "--/a:migrate-javax", "--/b:migrate-javax", "off");
        String out = ran.out().replaceAll(" +", " ");
        assertTrue(out.contains("\nmigrate-javax = on --migrate-javax\n"), out);
        assertTrue(out.contains("\n/a:migrate-javax = on --/a:migrate-javax\n"), out);
        assertTrue(out.contains("\n/b:migrate-javax = off --/b:migrate-javax\n"), out);
        assertTrue(Ran.with("--print-config", "--migrate-javax", "off", folder.toString())
                .out()
                .replaceAll(" +", " ")
                .contains("\nmigrate-javax = off --migrate-javax\n"));
        assertTrue(Ran.with("--print-config", "--tls-self-signed", folder.toString())
                .out()
                .replaceAll(" +", " ")
                .contains("\ntls-self-signed = on --tls-self-signed\n"));
    }

    @Test
    void thePrintedDescriptorContainsTheElementsOfTheOverrideFile() throws IOException {
        Path shop = folder.resolve("shop");
        Files.createDirectories(shop.resolve("WEB-INF"));
        Path override = Files.writeString(
                folder.resolve("o.xml"),
                "<web-app>\n<session-config><session-timeout>5</session-timeout></session-config></web-app>");
        Ran ran = Ran.with("--print-descriptor", "--override-web-xml", "/shop=" + override, "/shop=" + shop);
        assertEquals("", ran.err());
        assertTrue(ran.out().contains("<session-config> <!-- " + override + ":2 -->"), ran.out());
    }

    /** The value is used unchanged, including quotes that the shell has not removed. */
    @Test
    void theValueOfAnOptionCanContainQuotesAndBeginWithADash() {
        String out = Ran.with("--print-config", "--host", "\"x\"", "--admin-host=-y")
                .out()
                .replaceAll(" +", " ");
        assertTrue(out.contains("host = \"x\" --host\n"), out);
        assertTrue(out.contains("\nadmin-host = -y --admin-host\n"), out);
    }

    @Test
    void argumentsAfterTwoDashesAreNotOptions() {
        Ran.with("--print-config", "--", "--port").assertError(1, "no such file or folder: --port");
    }

    @Test
    void secretsAreNotPrinted() {
        Ran ran = Ran.with(Map.of("PENSTOCK_ADMIN_TOKEN", "a-long-and-secret-token"), "--print-config");
        assertTrue(ran.out().replaceAll(" +", " ").contains("admin-token = (hidden) PENSTOCK_ADMIN_TOKEN"), ran.out());
        assertFalse(ran.out().contains("a-long-and-secret-token"), ran.out());
    }

    @Test
    void aNumberAsTheFirstArgumentIsThePort() {
        Ran ran = Ran.with("--print-config", "8123", folder.toString());
        assertTrue(ran.out().replaceAll(" +", " ").contains("port = 8123 argument 8123"), ran.out());
    }

    @Test
    void eachKeyOfTheConfigurationIsAlsoAnOption() {
        for (Key key : Key.values()) {
            String text = Configuration.defaults().setting(key).text();
            Ran ran = Ran.with("--print-config", key.option(), text);
            assertEquals("", ran.err());
            String line = ran.out()
                    .lines()
                    .filter(one -> one.startsWith(key.id() + " "))
                    .findFirst()
                    .orElseThrow();
            assertTrue(line.endsWith("  " + key.option()), line);
        }
    }

    @Test
    void theShortHelpFitsOnOneScreenAndTheFullHelpContainsEachKeyWithItsUnit() {
        Ran help = Ran.with("--help");
        assertEquals(0, help.exitCode());
        assertTrue(help.out().lines().count() <= 40, help.out());
        for (String option :
                new String[] {"--port=<number>", "--workers=<threads>", "--body-limit=<bytes>", "--check"}) {
            assertTrue(help.out().contains(option), help.out());
        }
        assertFalse(help.out().contains("--pipe-segment"), help.out());
        assertEquals(help.out(), Ran.with("-h").out());
        Ran all = Ran.with("--help-all");
        assertEquals(0, all.exitCode());
        for (Key key : Key.values()) {
            String unit =
                    switch (key.type()) {
                        case DURATION -> "duration>";
                        case BYTES -> "bytes";
                        default -> "";
                    };
            assertTrue(all.out().contains(key.option() + "=<" + unit), key.option());
        }
        assertEquals(
                List.of("--port", "--redirect-to-port"),
                Pattern.compile("(--[a-z-]+)=<number>")
                        .matcher(all.out())
                        .results()
                        .map(option -> option.group(1))
                        .toList(),
                "the options whose value is a number without a unit");
        assertTrue(all.out().contains("--keep-alive-timeout=<duration>"), all.out());
        assertTrue(all.out().contains("--body-min-rate=<bytes per second>"), all.out());
        assertTrue(all.out().contains("--max-sessions=<sessions>"), all.out());
    }

    @Test
    void theOptionVersionPrintsTheNameOfTheServer() {
        Ran version = Ran.with("--version");
        assertEquals(0, version.exitCode());
        assertTrue(version.out().startsWith("Penstock "), version.out());
        assertEquals(version.out(), Ran.with("-V").out());
    }
}
