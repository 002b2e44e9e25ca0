package io.penstock.loadtest.compare.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.loadtest.compare.CompareCommand;
import io.penstock.loadtest.report.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * Runs every scenario in its smallest size. The scenarios run concurrently, since they wait most of the time. The runs are too short for
 * valid results.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(900)
class ScenariosIT {
    private static final List<String> SERVERS = List.of("penstock", "tomcat");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "idle",
                "slow-upload",
                "slow-read",
                "slow-head",
                "slow-handshake",
                "slow-mixed",
                "pooled",
                "overload --deadline=30s --rate=500",
                "startup",
                "files"
            })
    void aScenarioMeasuresEveryServerAndWritesTheResults(String command, @TempDir Path folder) throws Exception {
        String scenario = command.split(" ")[0];
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = run(out, err, command, "--out=" + folder, "--servers=penstock,tomcat");
        assertTrue(
                err.toString().lines().allMatch(line -> line.matches("\\[[12] of [12]] " + scenario + ": .*")),
                err::toString);
        assertEquals(0, exit, out.toString());
        JsonNode rounds = Json.read(folder.resolve(scenario + ".json")).get("rounds");
        for (String server : SERVERS) {
            assertTrue(rowsOf(rounds, server) > 0, out.toString());
        }
        rounds.forEach(round -> assertTrue(round.get("failure").isNull(), round.toString()));
        assertTrue(Files.size(folder.resolve(scenario + ".csv")) > 0);
    }

    /** The latencies depend on the machine, so this test checks only that all requests are answered. */
    @ParameterizedTest
    @ValueSource(strings = {"slow-upload", "slow-read", "slow-head", "slow-mixed", "pooled"})
    void penstockAnswersAllNormalRequestsDespiteSlowClients(String scenario, @TempDir Path folder) throws Exception {
        StringWriter out = new StringWriter();
        assertEquals(
                0, run(out, out, scenario, "--out=" + folder, "--servers=penstock", "--deadline=30s"), out.toString());
        for (JsonNode round : Json.read(folder.resolve(scenario + ".json")).get("rounds")) {
            assertTrue(round.get("requests").asInt() > 0, round.toString());
            assertEquals(round.get("requests"), round.get("answered"), round.toString());
        }
    }

    /** The first TLS handshakes of a JVM are slow, so this test sends few requests. */
    @ParameterizedTest
    @ValueSource(strings = {"slow-handshake", "slow-read --tls", "slow-mixed --tls", "pooled --tls"})
    void penstockAnswersNormalRequestsDespiteSlowClientsOverTls(String command, @TempDir Path folder) throws Exception {
        StringWriter out = new StringWriter();
        String[] few = {"--rate=20", "--requests=20", "--alone=20", "--warm-up=20", "--deadline=30s"};
        List<String> options = new ArrayList<>(List.of(few));
        options.addAll(List.of("--out=" + folder, "--servers=penstock"));
        assertEquals(0, run(out, out, command, options.toArray(String[]::new)), out.toString());
        List<String> parts = new ArrayList<>();
        for (JsonNode round :
                Json.read(folder.resolve(command.replace(" --", "-") + ".json")).get("rounds")) {
            assertEquals(20, round.get("requests").asInt(), round.toString());
            assertEquals(20, round.get("answered").asInt(), round.toString());
            parts.add(round.get("part").asText());
        }
        assertTrue(parts.stream().anyMatch(part -> part.endsWith(" over TLS")), parts::toString);
        assertTrue(parts.stream().anyMatch(part -> part.endsWith(" without TLS")), parts::toString);
    }

    @Test
    void slowReadersOverTlsOccupyAllThreadsOfTomcat(@TempDir Path folder) throws Exception {
        StringWriter out = new StringWriter();
        String[] few = {"--rate=20", "--requests=20", "--alone=20", "--warm-up=20", "--deadline=15s", "--to-gather=20s"
        };
        List<String> options = new ArrayList<>(List.of(few));
        options.addAll(List.of("--out=" + folder, "--servers=tomcat"));
        assertEquals(0, run(out, out, "slow-read --tls", options.toArray(String[]::new)), out.toString());
        JsonNode beside =
                Json.read(folder.resolve("slow-read-tls.json")).get("rounds").get(1);
        assertEquals("beside 20 slow readers over TLS", beside.get("part").asText());
        assertEquals(0, beside.get("answered").asInt(), beside.toString());
    }

    @Test
    void idleConnectionsAreMeasuredWithAndWithoutTls(@TempDir Path folder) throws Exception {
        StringWriter out = new StringWriter();
        assertEquals(
                0,
                run(out, out, "idle --tls", "--out=" + folder, "--servers=penstock", "--connections=50"),
                out.toString());
        JsonNode rounds = Json.read(folder.resolve("idle-tls.json")).get("rounds");
        assertEquals("TLS", rounds.get(0).get("part").asText());
        assertEquals("without TLS", rounds.get(1).get("part").asText());
        for (JsonNode round : rounds) {
            assertTrue(round.get("failure").isNull(), round.toString());
            assertEquals(50, round.get("connections").asInt(), round.toString());
        }
        assertTrue(rounds.get(0).get("engineBytes").asInt() > 0, out.toString());
        assertTrue(rounds.get(1).get("engineBytes").isNull(), out.toString());
    }

    @Test
    void clientsReceiveTheNewCertificateAfterTheCertificateIsReplacedUnderLoad(@TempDir Path folder) throws Exception {
        StringWriter out = new StringWriter();
        assertEquals(
                0,
                run(out, out, "renewal", "--out=" + folder, "--rate=10", "--handshakes=5", "--between=20s"),
                out.toString());
        JsonNode rounds = Json.read(folder.resolve("renewal.json")).get("rounds");
        assertEquals(2, rounds.size(), out.toString());
        for (JsonNode round : rounds) {
            assertTrue(round.get("failure").isNull(), round.toString());
            assertTrue(round.get("requests").asInt() > 0, round.toString());
        }
        assertEquals(1, rounds.get(1).get("certificatesSeen").asInt(), out.toString());
        assertTrue(rounds.get(1).get("handshakes").asInt() > 10, out.toString());
    }

    @Test
    void theRunnableJarIsMeasuredWithAndWithoutAClassDataSharingArchive(@TempDir Path folder) throws Exception {
        StringWriter out = new StringWriter();
        String jar = "--jar=target/peers/runnable/penstock.jar";
        String war = "--war=target/peers/runnable/sample-webapp.war";
        assertEquals(0, run(out, out, "startup", "--out=" + folder, "--servers=penstock", jar, war), out.toString());
        JsonNode rounds = Json.read(folder.resolve("startup.json")).get("rounds");
        List<String> parts = new ArrayList<>();
        for (JsonNode round : rounds) {
            assertTrue(round.get("failure").isNull(), round.toString());
            assertTrue(round.get("firstResponseMillis").asInt() > 0, round.toString());
            parts.add(round.get("part").asText());
        }
        assertEquals(
                List.of(
                        "a small servlet, embedded",
                        "penstock.jar, a folder",
                        "penstock.jar, a folder, with an archive",
                        "penstock.jar, a WAR",
                        "penstock.jar, a WAR, with an archive"),
                parts);
    }

    @Test
    void aSettingOnTheCommandLineAppliesOnlyToPenstock(@TempDir Path folder) throws Exception {
        StringWriter out = new StringWriter();
        assertEquals(
                0,
                run(out, out, "startup", "--out=" + folder, "--servers=penstock,tomcat", "--set=tls-threads=3"),
                out.toString());
        JsonNode commands = Json.read(folder.resolve("startup.json")).get("commands");
        assertEquals(2, commands.size());
        commands.fields()
                .forEachRemaining(server -> assertEquals(
                        server.getKey().startsWith("Penstock"),
                        server.getValue().toString().contains("--set tls-threads=3"),
                        server.toString()));
    }

    @Test
    void newResultsReplaceTheSectionInTheDocument(@TempDir Path folder) throws Exception {
        Path docs = Files.writeString(
                folder.resolve("performance.md"),
                "before\n<!-- begin compare-startup -->\n<!-- end compare-startup -->\nafter\n");
        StringWriter out = new StringWriter();
        CommandLine command = command(out, out);
        int exit = command.execute(
                "startup",
                "--rounds=2",
                "--repeats=0",
                "--heap=128m",
                "--peers=target/peers",
                "--servers=penstock,tomcat",
                "--write-docs=" + docs);
        assertEquals(0, exit, out.toString());
        String written = Files.readString(docs);
        assertTrue(written.startsWith("before\n") && written.endsWith("after\n"), written);
        assertTrue(written.contains("| Penstock ") && written.contains("| Tomcat 11"), written);
        // Each round starts with another server. So the second round starts with Tomcat.
        assertTrue(out.toString().contains("[3 of 4] startup: tomcat, round 2 of 2, about "), out.toString());
    }

    @Test
    void theSectionInTheDocumentIsUnchangedIfNoServerCouldBeMeasured(@TempDir Path folder) throws Exception {
        Path peers = Files.createDirectory(folder.resolve("peers"));
        Files.writeString(peers.resolve("jetty.jar"), "no program");
        String section = "<!-- begin compare-startup -->\nolder\n<!-- end compare-startup -->\n";
        Path docs = Files.writeString(folder.resolve("performance.md"), section);
        StringWriter out = new StringWriter();
        int exit = command(out, out)
                .execute("startup", "--rounds=1", "--peers=" + peers, "--servers=jetty", "--write-docs=" + docs);
        assertEquals(3, exit, out.toString());
        assertEquals(section, Files.readString(docs));
    }

    @Test
    void slowReadersOccupyAllThreadsOfTomcatAndTheReportContainsTheNumberOfReaders(@TempDir Path folder)
            throws Exception {
        StringWriter out = new StringWriter();
        assertEquals(
                0, run(out, out, "slow-read", "--out=" + folder, "--servers=tomcat", "--deadline=15s"), out.toString());
        JsonNode rounds = Json.read(folder.resolve("slow-read.json")).get("rounds");
        JsonNode alone = rounds.get(0);
        JsonNode beside = rounds.get(1);
        assertEquals(100, alone.get("answered").asInt());
        assertEquals(0, beside.get("answered").asInt());
        assertEquals(8, beside.get("callsOpen").asInt());
        assertEquals("missed", beside.get("bar").asText());
        assertTrue(
                beside.get("slowClients").asText().startsWith("20 connected, 8 of 20 readers being answered"),
                out::toString);
    }

    @Test
    void allThreadsOfBufferingServersAreOccupiedByUploadsThatFillTheBuffers(@TempDir Path folder) throws Exception {
        StringWriter out = new StringWriter();
        assertEquals(
                0,
                run(out, out, "slow-upload", "--out=" + folder, "--servers=jetty-eager,undertow-buffering"),
                out.toString());
        JsonNode all = Json.read(folder.resolve("slow-upload.json"));
        for (JsonNode round : all.get("rounds")) {
            boolean beyond = round.get("part").asText().endsWith("beside 20 slow uploads behind a burst");
            // If all threads are occupied, no normal request is answered. If threads are free, some responses can still
            // be late on a busy machine, so this test requires at least one response.
            int answered = round.get("answered").asInt();
            assertTrue(beyond ? answered == 0 : answered > 0, round.toString());
            // Jetty uses one of its eight threads internally, so seven uploads can occupy the others.
            assertTrue(!beyond || round.get("callsOpen").asInt() >= 7, round.toString());
        }
        assertTrue(
                all.get("commands")
                        .toString()
                        .contains("-jar jetty.jar --settings tuned --threads platform --workers 8"
                                + " --send-buffer 65536 --set eager-content=65536"),
                all.get("commands").toString());
    }

    @Test
    void aFailedStartOfAServerIsReportedAndTheOtherServersAreMeasured(@TempDir Path folder) throws Exception {
        Path peers = Files.createDirectory(folder.resolve("peers"));
        Files.copy(Path.of("target/peers/penstock.jar"), peers.resolve("penstock.jar"));
        Files.writeString(peers.resolve("jetty.jar"), "no program");
        StringWriter out = new StringWriter();
        int exit = run(out, out, "startup", "--out=" + folder, "--peers=" + peers, "--servers=jetty,penstock");
        assertEquals(0, exit, out.toString());
        JsonNode rounds = Json.read(folder.resolve("startup.json")).get("rounds");
        assertFalse(rounds.get(0).get("failure").isNull());
        assertTrue(out.toString().contains("jetty has not started"), out.toString());
        assertTrue(rounds.get(1).get("firstResponseMillis").asDouble() > 0);
    }

    private static int rowsOf(JsonNode rounds, String server) {
        int rows = 0;
        for (JsonNode round : rounds) {
            rows += round.get("server").asText().startsWith(server) ? 1 : 0;
        }
        return rows;
    }

    private static int run(StringWriter out, StringWriter err, String scenario, String... options) {
        List<String> arguments = new ArrayList<>(List.of(scenario.split(" ")));
        arguments.addAll(List.of("--smoke", "--heap=128m", "--gc=serial"));
        arguments.addAll(List.of(options));
        if (arguments.stream().noneMatch(option -> option.startsWith("--peers"))) {
            arguments.add("--peers=target/peers");
        }
        return command(out, err).execute(arguments.toArray(String[]::new));
    }

    private static CommandLine command(StringWriter out, StringWriter err) {
        return new CommandLine(new CompareCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
    }
}
