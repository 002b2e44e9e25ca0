package io.penstock.loadtest.starve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.loadtest.Main;
import io.penstock.loadtest.report.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * Tests the command {@code starve}. The command searches for the number of slow clients that stop a server. A stopped server answers less
 * than half of the normal requests in time. The server of the tests has five threads, and each connection occupies one thread.
 */
@Execution(ExecutionMode.CONCURRENT)
class StarveCommandTest {
    private static final int THREADS = 5;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private FewThreadsServer server;

    @BeforeEach
    void startServer() throws IOException {
        server = new FewThreadsServer(THREADS);
    }

    @AfterEach
    void stopServer() throws IOException {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "heads, slow heads, 0",
        "uploads, slow uploads, 5",
        "readers, slow readers, 500",
        "idle, idle connections, 0"
    })
    void fiveSlowClientsStopAServerWithFiveThreads(String kind, String words, int bytes) {
        assertEquals(1, starve("--kinds=" + kind, "--clients=32"), err::toString);
        String stopped = "5 " + words + ", with " + bytes
                + " bytes/s in total, stop this server: of 10 normal requests, 0 were answered within 1m (10"
                + " refused with 503). With 4: 10 of 10 answered, p99 ";
        assertTrue(out.toString().contains(stopped), out::toString);
        assertTrue(
                out.toString()
                        .matches(
                                "(?s).* The server answered again [0-9.]+ s after the slow clients had disconnected\\..*"),
                out::toString);
    }

    @Test
    void fourSlowClientsDoNotStopAServerWithFiveThreads() {
        assertEquals(0, starve("--kinds=heads,idle", "--clients=4"), err::toString);
        assertTrue(
                out.toString().contains("4 slow heads do not stop the server: 10 of 10 answered, p99 "), out::toString);
        assertTrue(
                out.toString()
                        .contains("No number of slow clients within the bounds (4 clients of one kind, 2097152"
                                + " bytes, 5m) stops this server."),
                out::toString);
    }

    @Test
    void theSearchIsStoppedWhenTheLimitForSentBytesIsReached(@TempDir Path folder) throws Exception {
        Path json = folder.resolve("found.json");
        assertEquals(4, starve("--kinds=uploads", "--clients=4", "--drop=100", "--bytes=500", "--json=" + json));
        assertTrue(
                out.toString().contains(" The search ended early: the bound for sent bytes was reached (500)."),
                out::toString);
        JsonNode finding = Json.read(json).get("findings").get(0);
        assertEquals(
                "the bound for sent bytes was reached (500)",
                finding.get("endedEarly").asText());
        assertTrue(finding.get("stopped").isNull(), finding::toString);
    }

    @Test
    void theSearchIsStoppedWhenTheTimeLimitIsReached() {
        assertEquals(4, starve("--clients=4", "--time=1ms"));
        assertTrue(
                out.toString().contains("Slow heads were not tried: the time bound was reached (1ms)."), out::toString);
        assertEquals("", err.toString());
    }

    @Test
    void theOutputExplainsWhyAKindOfSlowClientWasNotTried() {
        int status = run("starve", server.url("/get-only"), "--kinds=uploads,readers", "--deadline=1m", "--requests=1");
        assertEquals(4, status, err::toString);
        assertTrue(
                out.toString()
                        .contains("Slow uploads were not tried: a POST to /get-only is answered with 405; name"
                                + " a URL that accepts POST with --upload-url."),
                out::toString);
        assertTrue(
                out.toString()
                        .contains(
                                "bytes with its head, which fit into the buffers of the operating system, so no client"
                                        + " can read them slowly; name a URL with 4 MB or more with --read-url."),
                out::toString);
    }

    @Test
    void aKindThatStopsTheServerCountsMoreThanAKindThatWasNotTried() {
        assertEquals(1, starve("--kinds=uploads,heads", "--clients=8", "--upload-url=" + server.url("/get-only")));
        assertTrue(out.toString().contains("Slow uploads were not tried: "), out::toString);
        assertTrue(out.toString().contains("5 slow heads, with 0 bytes/s in total, stop this server"), out::toString);
    }

    @Test
    void theFieldsOfTheOptionsAreSentWithEveryRequest() {
        String json = server.url("/private/json");
        int status = run(
                "starve",
                server.url("/private"),
                "--upload-url=" + json,
                "--read-url=" + server.url("/private"),
                "--header=X-Key: 7",
                "--header=Cookie: a=b",
                "--content-type=application/json",
                "--kinds=heads,uploads,idle",
                "--clients=8",
                "--connections=1",
                "--requests=10",
                "--deadline=1m");
        assertEquals(1, status, err::toString);
        for (String kind : List.of("slow heads", "slow uploads", "idle connections")) {
            assertTrue(out.toString().contains("5 " + kind + ", with "), out::toString);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/private, , send the fields that the application needs",
        "/private/json, X-Key: 7, name the type of the body with --content-type"
    })
    void theReasonForUploadsThatTheApplicationRefusesNamesTheMissingOption(String path, String header, String reason) {
        List<String> options = new ArrayList<>(List.of("--kinds=uploads", "--upload-url=" + server.url(path)));
        if (header != null) {
            options.add("--header=" + header);
        }
        assertEquals(4, starve(options.toArray(String[]::new)), err::toString);
        assertTrue(out.toString().contains("Slow uploads were not tried: a POST to " + path), out::toString);
        assertTrue(out.toString().contains(reason), out::toString);
    }

    @Test
    void uploadsThatTheServerAnswersWithAnErrorBeforeTheirBodyDoNotCountAsTried() {
        assertEquals(4, starve("--kinds=uploads", "--clients=2", "--upload-url=" + server.url("/hasty")));
        assertTrue(
                out.toString().contains("Slow uploads were not tried: the server answers them with an error before"),
                out::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--header=Host: other | --header cannot set Host: it is set automatically",
                "--header=content-length: 7 | --header cannot set content-length: it is set automatically",
                "--header=Content-Type: text/plain | --header cannot set Content-Type: use --content-type",
                "--header=nothing | --header must be 'Name: value', not 'nothing'",
                "--header=a b: c | Not a field: a b: c"
            })
    void aWrongHeaderIsRefused(String option, String reason) {
        assertEquals(2, starve(option));
        assertTrue(err.toString().startsWith(reason), err::toString);
    }

    @Test
    void allUrlsMustHaveTheSameScheme() {
        assertEquals(2, run("starve", "https://localhost:1/", "--upload-url=http://localhost:1/"));
        assertTrue(
                err.toString().startsWith("Not a URL that starts with https://: http://localhost:1/"), err::toString);
    }

    @Test
    void aMissingUrlIsReported() {
        assertEquals(2, run("starve"));
        assertTrue(err.toString().startsWith("Missing required parameter: 'URL'"), err::toString);
    }

    @Test
    void aServerOnAnotherMachineIsRefusedWithoutTheHostOption() {
        assertEquals(2, run("starve", "http://192.0.2.1/"));
        assertEquals(
                "192.0.2.1 is 192.0.2.1, not a loopback address of this machine. If the server is yours and"
                        + " may stop answering, add --host=192.0.2.1 (loadtest starve --help tells more)\n",
                err.toString());
        assertEquals("", out.toString());
    }

    @Test
    void theHostInTheUrlForReadersMustAlsoBeNamedInTheHostOption() {
        assertEquals(2, run("starve", server.url("/"), "--read-url=http://192.0.2.1/large", "--host=127.0.0.1"));
        assertTrue(err.toString().startsWith("192.0.2.1 is 192.0.2.1, not a loopback address"), err::toString);
    }

    /** The command sends nothing, since the option {@code --clients} is wrong. */
    @Test
    void aHostIsAcceptedIfItIsNamedInTheHostOption() {
        assertEquals(2, run("starve", "http://192.0.2.1/", "--host=192.0.2.1", "--clients=0"));
        assertTrue(err.toString().startsWith("--clients must be at least 1, not 0"), err::toString);
    }

    @Test
    void theCsvOptionWritesTheTableToAFile(@TempDir Path folder) throws Exception {
        Path csv = folder.resolve("found.csv");
        assertEquals(1, starve("--kinds=heads", "--clients=8", "--csv=" + csv));
        List<String> lines = Files.readAllLines(csv);
        assertEquals(2, lines.size());
        assertTrue(lines.get(1).startsWith("slow heads,5,4,"), lines::toString);
    }

    /** Runs the command with one normal connection. For a second normal connection, there might be no free thread. */
    private int starve(String... options) {
        List<String> words = new ArrayList<>(List.of(
                "starve",
                server.url("/"),
                "--read-url=" + server.url("/large"),
                "--connections=1",
                "--requests=10",
                "--deadline=1m"));
        words.addAll(List.of(options));
        return run(words.toArray(String[]::new));
    }

    private int run(String... words) {
        CommandLine command = Main.commandLine();
        return command.setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words);
    }
}
