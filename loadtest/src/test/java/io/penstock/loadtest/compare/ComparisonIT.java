package io.penstock.loadtest.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.loadtest.Main;
import io.penstock.loadtest.report.Json;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs every comparison in its smallest size with the real servers. The runs are concurrent, since they wait most of the time. They are too
 * short for valid results.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(900)
class ComparisonIT {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "rows, 'penstock-defaults,tomcat', --works=hello-64,echo-64k,new-connection,sleep,start-war-archive,idle,burst",
        "rows, 'penstock-defaults,tomcat', --works=upload-1m-8,pipelined,output-64k,file,start-folder",
        "waiting, 'penstock-defaults,tomcat-defaults',"
                + " --works=wait-20-start,wait-20,mixed-start,beside-8-servlets-start",
        "websocket, 'penstock-defaults,tomcat', --works=ws-echo-16-64,ws-broadcast-async,ws-echo-64k-deflate,ws-idle",
        "ws-readers, 'penstock-defaults,tomcat-defaults', ''",
        "users, 'penstock,tomcat', ''",
        "idle, 'penstock,tomcat', ''",
        "slow-upload, 'penstock,tomcat', ''",
        "slow-read, 'penstock,tomcat', ''",
        "slow-head, 'penstock,tomcat', ''",
        "slow-handshake, 'penstock,tomcat', ''",
        "slow-mixed, 'penstock,tomcat', ''",
        "pooled, 'penstock,tomcat', ''",
        "overload, 'penstock,tomcat', --deadline=30s --rate=500",
        "startup, 'penstock,tomcat', ''",
        "files, 'penstock,tomcat', ''",
    })
    void everyServerIsMeasuredWithEveryWork(String name, String servers, String options) throws Exception {
        measureEverything(name, name, servers, options);
    }

    @ParameterizedTest
    @CsvSource({"http2, http2", "http2 --tls, http2-tls"})
    @NeedsProgram(Program.H2LOAD)
    void everyServerIsMeasuredOverHttp2(String command, String name) throws Exception {
        String works = "--works=h2-hello-64-1,h2-output-16k-256-16,h2-hello-64-100,h2-output-1m,h2-upload-1m";
        measureEverything(command, name, "penstock-defaults,tomcat", works);
        for (JsonNode turn : turns(name)) {
            assertEquals("h2load -t1", turn.get("client").asText(), turn::toString);
            assertTrue(turn.get("requestsPerSecond").asDouble() > 0, turn::toString);
            if (turn.get("server").asText().equals("penstock-defaults")) {
                // On a busy machine, Tomcat does not answer all uploads.
                assertEquals(0, turn.get("notAnswered").asInt(), turn::toString);
            }
        }
    }

    private void measureEverything(String command, String name, String servers, String options) throws Exception {
        int exit = run((command + " --servers=" + servers + " " + options).strip());
        assertEquals(0, exit, err::toString);
        JsonNode json = Json.read(folder.resolve(name + ".json"));
        assertEquals(
                0, json.get("notMeasured").size(), () -> json.get("notMeasured").toString());
        Set<String> measured = new LinkedHashSet<>();
        json.get("turns")
                .forEach(turn -> measured.add(
                        turn.get("work").asText() + " " + turn.get("server").asText()));
        assertTrue(Files.size(folder.resolve(name + ".csv")) > 0);
        assertTrue(Files.readString(folder.resolve(name + ".txt")).contains("Penstock "));
        if (options.startsWith("--works=")) {
            Set<String> expected = new LinkedHashSet<>();
            for (String work : options.substring("--works=".length()).split(",")) {
                Arrays.stream(servers.split(",")).forEach(server -> expected.add(work + " " + server));
            }
            assertEquals(expected, measured);
        } else {
            assertTrue(measured.size() >= 2, measured::toString);
        }
    }

    @Test
    void readersThatNeverReadTakeNothingFromTheReadersOfPenstock() throws Exception {
        assertEquals(0, executeAll("starve ws-readers " + smoke("--servers=penstock")), err::toString);
        for (JsonNode turn : turns("ws-readers")) {
            assertEquals(200, turn.get("fewestMessagesRead").asInt(), turn::toString);
            assertEquals(200, turn.get("messagesSent").asInt(), turn::toString);
        }
    }

    /** The latencies depend on the machine, so this test checks only that all requests are answered. */
    @ParameterizedTest
    @ValueSource(strings = {"slow-upload", "slow-read", "slow-head", "slow-mixed", "pooled"})
    void penstockAnswersAllNormalRequestsDespiteSlowClients(String name) throws Exception {
        assertEquals(0, run(name + " --servers=penstock --deadline=30s"), err::toString);
        for (JsonNode turn : turns(name)) {
            assertTrue(turn.get("requests").asInt() > 0, turn::toString);
            assertEquals(turn.get("requests"), turn.get("answered"), turn::toString);
            assertEquals(0, turn.get("notAnsweredAlone").asInt(), turn::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"slow-upload", "slow-read", "slow-mixed", "pooled"})
    void penstockAnswersAllNormalRequestsDespiteSlowStreams(String name) throws Exception {
        assertEquals(0, run(name + " --http2 --servers=penstock --deadline=30s"), err::toString);
        for (JsonNode turn : turns(name + "-http2")) {
            assertTrue(turn.get("requests").asInt() > 0, turn::toString);
            assertEquals(turn.get("requests"), turn.get("answered"), turn::toString);
        }
    }

    /** The first TLS handshakes of a JVM are slow, so this test sends few requests. */
    @ParameterizedTest
    @ValueSource(strings = {"slow-handshake", "slow-read --tls", "slow-mixed --tls", "pooled --tls"})
    void penstockAnswersNormalRequestsDespiteSlowClientsOverTls(String command) throws Exception {
        String few = " --rate=20 --requests=20 --alone=20 --warm-up=20 --deadline=30s --servers=penstock";
        assertEquals(0, run(command + few), err::toString);
        List<String> works = new ArrayList<>();
        for (JsonNode turn : turns(command.replace(" --", "-"))) {
            assertEquals(20, turn.get("requests").asInt(), turn::toString);
            assertEquals(20, turn.get("answered").asInt(), turn::toString);
            works.add(turn.get("work").asText());
        }
        assertTrue(works.stream().anyMatch(work -> work.endsWith("-tls")), works::toString);
        assertTrue(works.stream().anyMatch(work -> work.endsWith("-without-tls")), works::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"slow-read", "slow-read --tls --rate=20 --requests=20 --alone=20 --warm-up=20"})
    void slowReadersOccupyAllThreadsOfTomcat(String command) throws Exception {
        assertEquals(0, run(command + " --servers=tomcat --deadline=15s --to-gather=20s"), err::toString);
        boolean tls = command.contains("--tls");
        JsonNode turn = turns(tls ? "slow-read-tls" : "slow-read").get(0);
        assertEquals(0, turn.get("notAnsweredAlone").asInt(), turn::toString);
        assertEquals(0, turn.get("answered").asInt(), turn::toString);
        assertEquals(8, turn.get("callsOpen").asInt(), turn::toString);
        assertTrue(turn.get("note").asText().contains("20 of 20 connected (8 of 20 readers"), turn::toString);
        assertTrue(turn.get("p99OfAllowed").asDouble() > 1, turn::toString);
    }

    @Test
    void allThreadsOfBufferingServersAreOccupiedByUploadsThatFillTheBuffers() throws Exception {
        assertEquals(0, run("slow-upload --servers=jetty-eager,undertow-buffering"), err::toString);
        for (JsonNode turn : turns("slow-upload")) {
            boolean beyond = turn.get("work").asText().equals("burst-uploads");
            // If all threads are occupied, no normal request is answered. If threads are free, some responses can still
            // be late on a busy machine, so this test requires at least one response.
            int answered = turn.get("answered").asInt();
            assertTrue(beyond ? answered == 0 : answered > 0, turn::toString);
            // Jetty uses one of its eight threads internally, so seven uploads can occupy the others.
            assertTrue(!beyond || turn.get("callsOpen").asInt() >= 7, turn::toString);
        }
        String commands =
                Json.read(folder.resolve("slow-upload.json")).get("commands").toString();
        assertTrue(
                commands.contains("-jar jetty.jar --settings tuned --threads platform --workers 8 --send-buffer 65536"
                        + " --set eager-content=65536"),
                commands);
    }

    @Test
    void idleConnectionsAreMeasuredWithAndWithoutTls() throws Exception {
        assertEquals(0, run("idle --tls --servers=penstock --connections=50"), err::toString);
        JsonNode turns = turns("idle-tls");
        assertEquals(2, turns.size());
        turns.forEach(turn -> assertEquals(50, turn.get("connections").asInt(), turn::toString));
        assertTrue(turns.get(0).get("engineBytes").asInt() > 0, turns::toString);
        assertTrue(turns.get(1).get("engineBytes").isNull(), turns::toString);
    }

    @Test
    void clientsReceiveTheNewCertificateAfterTheCertificateIsReplacedUnderLoad() throws Exception {
        assertEquals(0, run("renewal --rate=10 --handshakes=5 --between=20s"), err::toString);
        JsonNode turn = turns("renewal").get(0);
        assertTrue(turn.get("requests").asInt() > 0, turn::toString);
        assertEquals(1, turn.get("certificatesSeen").asInt(), turn::toString);
        assertTrue(turn.get("handshakes").asInt() > 10, turn::toString);
    }

    @Test
    @NeedsProgram(Program.REDIS_SERVER)
    void sessionsAreStoredInRedisAndPenstockLosesNoChangesOnOneNode() throws Exception {
        // On a busy machine, Redis can be without an answer for longer than the default of this setting. Redis can free
        // the buffers of idle connections meanwhile. With many sessions, this changes the size of one little.
        assertEquals(0, run("sessions --set=session-store-wait=30s --stored=1000"), err::toString);
        JsonNode turns = turns("sessions");
        assertEquals(2, turns.size(), turns::toString);
        for (JsonNode turn : turns) {
            assertEquals(0, turn.get("notAnswered").asInt(), turn::toString);
            // Each request reads and writes the session, so each request needs about two calls to Redis. The attributes
            // of a session have more than 1024 bytes.
            assertTrue(turn.get("callsPerRequest").asDouble() >= 1.9, turn::toString);
            assertTrue(turn.get("storedBytesEach").asInt() > 1024, turn::toString);
        }
        JsonNode penstock = turns.get(0);
        assertEquals("penstock-redis", penstock.get("server").asText());
        for (String lost : List.of("oneNodeOwnLost", "oneNodeCounterLost", "oneNodeInPlaceLost", "twoNodesOwnLost")) {
            assertEquals(0, penstock.get(lost).asInt(), penstock::toString);
        }
    }

    @Test
    @NeedsProgram(Program.CC)
    void everyWorkIsMeasuredOverTlsAndAMeasurementCanGoOnWithTheSameOptions() throws Exception {
        assumeTrue(
                Files.exists(Path.of("/usr/include/openssl/ssl.h")) || "true".equals(System.getenv("CI")),
                "the headers of OpenSSL are missing (Debian: libssl-dev)");
        String servers = " --servers=penstock-defaults,tomcat,jetty,undertow";
        assertEquals(0, run("--tls --works=tls-hello-64,tls-full-1.3,tls-resumed-1.2" + servers), err::toString);
        assertEquals(0, run("--tls --works=tls-file-64,tls-resumed-1.3 --go-on" + servers), err::toString);
        JsonNode json = Json.read(folder.resolve("tls.json"));
        assertEquals(
                0, json.get("notMeasured").size(), () -> json.get("notMeasured").toString());
        assertEquals(5 * 4, json.get("turns").size(), json::toString);
        for (JsonNode turn : json.get("turns")) {
            boolean requests = turn.get("work").asText().matches("tls-(hello|file).*");
            String rate = requests ? "requestsPerSecond" : "handshakesPerSecond";
            assertTrue(turn.get(rate).asDouble() > 0, turn::toString);
            assertEquals(0, turn.get("notAnswered").asDouble(), turn::toString);
        }
        assertTrue(out.toString().contains("In part measured by an earlier run, "), out::toString);
        assertEquals(2, run("--tls --works=tls-file-64 --go-on --servers=penstock"));
        assertTrue(err.toString().contains("--go-on needs the same options"), err::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"wrk", "h2load", "own"})
    @NeedsProgram({Program.H2LOAD, Program.WRK})
    void theTableNamesTheClient(String client) throws Exception {
        int exit = run("rows --works=hello-64,echo-1k --servers=penstock-defaults --client=" + client);
        assertEquals(0, exit, err::toString);
        String title = client.equals("own") ? "loadtest" : client + " -t1";
        for (JsonNode turn : turns("rows")) {
            assertEquals(title, turn.get("client").asText(), turn::toString);
            assertTrue(turn.get("requestsPerSecond").asDouble() > 0, turn::toString);
            assertEquals(0, turn.get("notAnswered").asInt(), turn::toString);
        }
    }

    @Test
    void penstockIsAlsoMeasuredWithAllOptionsEnabled() throws Exception {
        assertEquals(0, run("rows --servers=penstock-defaults --works=hello-256"), err::toString);
        Set<String> measured = new LinkedHashSet<>();
        turns("rows").forEach(turn -> measured.add(turn.get("server").asText()));
        assertTrue(measured.contains("penstock-all-on"), () -> measured + " " + err);
        assertTrue(out.toString().contains("≤ 1.03 × with all on"), out::toString);
    }

    @Test
    void penstockIsComparedWithAnEarlierBuild() throws Exception {
        for (String name : List.of("penstock", "penstock-before")) {
            Files.copy(Path.of("target/peers/penstock.jar"), folder.resolve(name + ".jar"));
        }
        String servers = "--servers=penstock-defaults,penstock-before --works=quick-start --peers=" + folder;
        assertEquals(0, run("waiting " + servers), err::toString);
        for (JsonNode row : Json.read(folder.resolve("waiting.json")).get("rows")) {
            assertTrue(row.get("ratio").asDouble() > 0, row::toString);
        }
        assertTrue(out.toString().contains(", before, defaults"), out::toString);
    }

    @Test
    void aServerThatCannotStartIsReportedAndTheOtherServersAreMeasured() throws Exception {
        Files.copy(Path.of("target/peers/penstock.jar"), folder.resolve("penstock.jar"));
        Files.writeString(folder.resolve("jetty.jar"), "no program");
        String options = "rows --servers=jetty,penstock --works=hello-64,burst --peers=" + folder;
        assertEquals(0, run(options), err::toString);
        assertTrue(err.toString().contains("hello-64, jetty: not measured: jetty has not started"), err::toString);
        assertTrue(err.toString().contains("burst, jetty: not measured: jetty has not started"), err::toString);
        assertTrue(out.toString().contains("jetty has not started"), out::toString);
    }

    @Test
    void aSettingOnTheCommandLineAppliesOnlyToPenstock() throws Exception {
        assertEquals(0, run("startup --servers=penstock,tomcat --set=tls-threads=3"), err::toString);
        JsonNode commands = Json.read(folder.resolve("startup.json")).get("commands");
        assertEquals(2, commands.size());
        commands.properties()
                .forEach(server -> assertEquals(
                        server.getKey().startsWith("Penstock"),
                        server.getValue().toString().contains("--set tls-threads=3"),
                        server::toString));
    }

    @Test
    void newResultsReplaceTheCsvFileAndItsPictures() throws Exception {
        Path csv = Files.writeString(folder.resolve("compare-users.csv"), "old\n");
        int exit = execute("users --users=8,16 --rounds=2 --repeats=0 --duration=300ms --warm-up=100ms --ramp-up=50ms"
                + " --heap=128m --peers=target/peers --servers=penstock,tomcat --write-docs=" + folder);
        assertEquals(0, exit, err::toString);
        String written = Files.readString(csv);
        assertTrue(written.contains("Penstock ") && written.contains("Tomcat 11"), written);
        assertTrue(!written.contains("old\n"), written);
        assertTrue(written.contains("](images/users-servlet-connect-errors.svg)"), written);
        Path picture = folder.resolve("images/users-text-requests.png");
        assertTrue(ImageIO.read(picture.toFile()).getWidth() > 500);
        // Each round starts with another server. So the second round starts with Tomcat.
        assertTrue(err.toString().contains("[3 of 16] text-8, round 2, tomcat: "), err::toString);
    }

    @Test
    void aCsvFileIsUnchangedIfNothingCouldBeMeasured() throws Exception {
        Files.writeString(folder.resolve("jetty.jar"), "no program");
        Path csv = Files.writeString(folder.resolve("compare-startup.csv"), "older\n");
        String options = " --peers=" + folder + " --write-docs=" + folder;
        assertEquals(3, execute("startup --rounds=1 --servers=jetty" + options), err::toString);
        assertEquals("older\n", Files.readString(csv));
        assertTrue(err.toString().contains("Nothing was measured: jetty has not started"), err::toString);
    }

    @Test
    void aWorkThatNoServerCanDoIsReported() {
        assertEquals(3, run("waiting --servers=tomcat-defaults --works=boot-150-start"));
        assertTrue(err.toString().contains("none of the servers has the content"), err::toString);
    }

    private JsonNode turns(String name) throws Exception {
        return Json.read(folder.resolve(name + ".json")).get("turns");
    }

    private int run(String command) {
        return execute(smoke(command));
    }

    private String smoke(String command) {
        String peers = command.contains("--peers") ? "" : " --peers=target/peers";
        return command + " --smoke --heap=128m --gc=serial --out=" + folder + peers;
    }

    private int execute(String command) {
        return executeAll("compare " + command);
    }

    private int executeAll(String command) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(command.split(" +"));
    }
}
