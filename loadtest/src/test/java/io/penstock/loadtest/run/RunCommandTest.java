package io.penstock.loadtest.run;

import static io.penstock.loadtest.load.ScriptedServer.OK;
import static io.penstock.loadtest.load.ScriptedServer.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.loadtest.load.ScriptedServer;
import io.penstock.loadtest.report.Json;
import io.penstock.testing.FreePort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Tests the command {@code run} with short loads. */
@Timeout(120)
class RunCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    @Test
    void theTableAndTheJsonFileAndTheCsvFileHaveTheSameValues() throws Exception {
        Path json = directory.resolve("a.json");
        Path csv = directory.resolve("a.csv");
        Path png = directory.resolve("a.png");
        try (ScriptedServer server = new ScriptedServer((number, connection) ->
                answer(connection, number % 10 == 0 ? "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n" : OK))) {
            assertEquals(
                    0,
                    run(
                            server.url(),
                            "--rate=200",
                            "--duration=500ms",
                            "--json=" + json,
                            "--csv=" + csv,
                            "--chart=" + png),
                    err::toString);
        }
        JsonNode read = Json.read(json);
        List<String> lines = Files.readAllLines(csv);
        assertEquals("measured,value,unit", lines.remove(0));
        assertEquals(lines.size(), read.get("table").size());
        for (int i = 0; i < lines.size(); i++) {
            String[] cells = lines.get(i).split(",", -1);
            JsonNode row = read.get("table").get(i);
            assertEquals(row.get("measured").textValue(), cells[0]);
            assertEquals(row.get("value").doubleValue(), Double.parseDouble(cells[1]), 0.0005, cells[0]);
            String shown = "(?s).*" + cells[0] + " +" + cells[1] + " .*";
            assertTrue(out.toString().matches(shown), cells[0] + " is missing in " + out);
        }
        assertEquals(
                100,
                read.get("statuses").get("200").intValue()
                        + read.get("statuses").get("404").intValue());
        assertEquals("open", read.get("load").get("loop").textValue());
        assertEquals(0.5, read.get("load").get("duration").doubleValue());
        assertTrue(read.get("latencyByPercentile").size() > 8);
        assertTrue(
                out.toString()
                        .matches("(?s).*client: lag p99 [0-9.]+ ms, max [0-9.]+ ms; CPU [0-9]+ % of one processor.*"),
                out.toString());
        assertTrue(read.get("client").get("lagP99Millis").doubleValue() >= 0);
        assertTrue(out.toString().contains("First error: status 404"), out.toString());
        assertEquals(1200, ImageIO.read(png.toFile()).getWidth());
    }

    @Test
    void theMethodAndTheHeaderFieldFromTheOptionsAreSent() throws Exception {
        List<String> heads = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread peer = new Thread(() -> recordHead(server, heads));
            peer.start();
            run(
                    "http://127.0.0.1:" + server.getLocalPort() + "/in?a=b",
                    "--body-size=5",
                    "--chunked",
                    "--method=PUT",
                    "--header=X-Trial: 7",
                    "--deadline=60s");
            peer.join();
        }
        String head = heads.get(0);
        assertTrue(head.startsWith("PUT /in?a=b HTTP/1.1\r\nHost: 127.0.0.1:"), head);
        assertTrue(head.contains("\r\nX-Trial: 7\r\n") && head.contains("\r\nTransfer-Encoding: chunked\r\n"), head);
    }

    private static void recordHead(ServerSocket server, List<String> heads) {
        // The server closes the connection without a response. This ends the command.
        try (var connection = server.accept()) {
            byte[] bytes = new byte[1000];
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append(new String(bytes, 0, connection.getInputStream().read(bytes)));
            }
            heads.add(head.toString());
        } catch (IOException failed) {
            heads.add(failed.toString());
        }
    }

    @Test
    void anUnreachableServerIsReportedImmediatelyInOneLine() throws Exception {
        int free = FreePort.next();
        assertEquals(3, run("http://127.0.0.1:" + free + "/", "--duration=1h"));
        assertTrue(
                err.toString().matches("loadtest: 127.0.0.1:" + free + " does not answer: connection refused .*\\R"),
                err.toString());
        assertEquals("", out.toString());
    }

    @Test
    void theTableShowsResponsesAndConnectErrorsIfTheServerStopsDuringTheRun() throws Exception {
        ScriptedServer[] self = new ScriptedServer[1];
        self[0] = new ScriptedServer((number, connection) -> {
            answer(connection, OK);
            if (number == 5) {
                self[0].close();
            }
        });
        assertEquals(0, run(self[0].url(), "--users=2", "--duration=3s"), err::toString);
        assertTrue(out.toString().matches("(?s).*responses with 2xx +[1-9].*connect errors +[1-9].*"), out.toString());
    }

    @Test
    void tooFewFileDescriptorsAreReportedBeforeTheLoadStarts() {
        assertEquals(3, run("http://127.0.0.1:1/", "--users=2000000000"));
        assertTrue(err.toString().contains("'ulimit -n 2000000"), err.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--users=0 | users must be at least 1, not 0",
                "--rate=0 | rate must be more than 0",
                "--users=5 --rate=10 | --users belongs to a closed loop",
                "--connections=5 | --connections belongs to an open loop",
                "--duration=5 | '5' is not a duration",
                "--chunked | --chunked needs --body-size",
                "--header=nothing | --header must be 'Name: value'",
                "--header=host:other | --header cannot set host: it is set automatically",
                "--chart=a.gif | A chart must be a .png or .svg file",
                "--json=/no/such/directory/a.json | its directory must exist",
                "--method=A,B | Not a method: A,B",
            })
    void aWrongOptionIsReportedInOneLine(String options, String message) {
        assertEquals(2, run("http://127.0.0.1:1/", options.split(" ")));
        assertTrue(err.toString().contains(message), err.toString());
        assertEquals(1, err.toString().lines().count(), err.toString());
    }

    @Test
    void theHelpTextContainsTheOptionsAndTheExamplesAndTheExitCodes() {
        CommandLine command = new CommandLine(new RunCommand()).setOut(new PrintWriter(out, true));
        assertEquals(0, command.execute("--help"));
        for (String option : List.of("--users", "--rate", "--warm-up", "--chart", "Examples:", "Exit codes:")) {
            assertTrue(out.toString().contains(option), option);
        }
    }

    private int run(String url, String... options) {
        List<String> arguments = new ArrayList<>(List.of("run", url));
        arguments.addAll(List.of(options));
        arguments.add("--warm-up=0");
        CommandLine command = io.penstock.loadtest.Main.commandLine();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(arguments.toArray(String[]::new));
    }
}
