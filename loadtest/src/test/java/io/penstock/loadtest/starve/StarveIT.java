package io.penstock.loadtest.starve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.loadtest.Main;
import io.penstock.loadtest.peers.ContentFolder;
import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.PeersFolder;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.ServerProcess;
import io.penstock.loadtest.peers.TlsKey;
import io.penstock.loadtest.report.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests the command {@code starve} against real servers. Each server runs in its own process. The deadline for a response is longer than
 * any pause of a busy machine. So a request without a response shows that the slow clients have stopped the server.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(900)
class StarveIT {
    private static final int THREADS = 6;
    private static final String HTTP2_KINDS = "--kinds=h2-readers,h2-uploads";

    private final StringWriter out = new StringWriter();

    @TempDir
    Path folder;

    @Test
    void sixSlowUploadsOrSixSlowReadersStopTomcatWithSixThreads() throws Exception {
        JsonNode findings = starve(Server.TOMCAT, 1, "--kinds=uploads,readers", "--clients=16", "--first=3");
        assertEquals(THREADS, findings.get(0).get("stopped").get("clients").asInt(), out::toString);
        assertEquals(THREADS, findings.get(1).get("stopped").get("clients").asInt(), out::toString);
        assertTrue(out.toString().contains("(4 not answered in time)"), out::toString);
    }

    @Test
    void tenSlowUploadsStopAServletWithTenPooledConnectionsOnTomcat() throws Exception {
        JsonNode findings = starvePooled(Server.TOMCAT_DEFAULTS, 1, "--first=5");
        assertEquals(10, findings.get(0).get("stopped").get("clients").asInt(), out::toString);
    }

    @Test
    void noKindOfSlowClientStopsPenstock() throws Exception {
        JsonNode findings = starve(Server.PENSTOCK, 0, "--clients=64", "--first=16");
        assertEquals(4, findings.size());
        for (JsonNode finding : findings) {
            assertTrue(finding.get("stopped").isNull(), finding::toString);
            assertEquals(64, finding.get("served").get("clients").asInt(), finding::toString);
            assertEquals(64, finding.get("served").get("standing").asInt(), finding::toString);
        }
    }

    @Test
    void slowStreamsOfOneConnectionOrOfManyStopTomcatButNotPenstock() throws Exception {
        for (String streams : new String[] {"--streams=1", "--streams=32"}) {
            JsonNode served = starve(Server.PENSTOCK, 0, HTTP2_KINDS, streams, "--clients=32", "--first=16");
            for (JsonNode finding : served) {
                assertEquals(32, finding.get("served").get("standing").asInt(), out::toString);
            }
        }
        // Tomcat needs a minute after slow uploads, so only readers are tried.
        JsonNode stopped =
                starve(Server.TOMCAT, true, 1, "--kinds=h2-readers", "--streams=32", "--clients=6", "--first=5");
        assertEquals(THREADS, stopped.get(0).get("stopped").get("clients").asInt(), out::toString);
    }

    @Test
    void slowStreamsOverTlsDoNotStopPenstock() throws Exception {
        try (ContentFolder content = ContentFolder.create();
                TlsKey key = TlsKey.create()) {
            ServerOptions encrypted = ServerOptions.serving(content.root()).withTls(key);
            String[] options = {HTTP2_KINDS, "--streams=10", "--clients=25", "--first=25"};
            JsonNode served = starve("https", Server.PENSTOCK, encrypted, "/hello", "/upload", 0, options);
            for (JsonNode finding : served) {
                assertEquals(25, finding.get("served").get("standing").asInt(), out::toString);
            }
        }
    }

    @Test
    void slowStreamsAreNotTriedWithAServerWithoutHttp2() throws Exception {
        String[] options = {"--kinds=h2-readers", "--clients=1", "--first=1"};
        assertTrue(starve(Server.TOMCAT7, 4, options).get(0).get("stopped").isNull(), out::toString);
        String reason = "Slow readers over HTTP/2 were not tried: none of them stays connected: ";
        assertTrue(out.toString().contains(reason), out::toString);
    }

    @Test
    void slowClientsOverTlsStopTomcatButNotPenstock() throws Exception {
        try (ContentFolder content = ContentFolder.create();
                TlsKey key = TlsKey.create()) {
            ServerOptions encrypted = ServerOptions.serving(content.root()).withTls(key);
            JsonNode stopped = starve(
                    "https",
                    Server.TOMCAT,
                    encrypted.withWorkers(THREADS),
                    "/hello",
                    "/upload",
                    1,
                    "--kinds=uploads",
                    "--clients=16",
                    "--first=3");
            assertEquals(THREADS, stopped.get(0).get("stopped").get("clients").asInt(), out::toString);
            JsonNode served = starve(
                    "https",
                    Server.PENSTOCK,
                    encrypted,
                    "/hello",
                    "/upload",
                    0,
                    "--kinds=uploads,readers",
                    "--clients=32",
                    "--first=16");
            assertEquals(32, served.get(0).get("served").get("standing").asInt(), out::toString);
            assertEquals(32, served.get(1).get("served").get("standing").asInt(), out::toString);
            // The sent bytes include the request heads and the TLS handshakes of the 32 slow clients. The head and the
            // handshake of one client have more than 250 bytes.
            assertTrue(served.get(0).get("served").get("sent").asLong() > 16 * 500, out::toString);
        }
    }

    @Test
    void fortySlowUploadsDoNotStopAServletWithPooledConnectionsOnPenstock() throws Exception {
        JsonNode findings = starvePooled(Server.PENSTOCK_DEFAULTS, 0, "--clients=40", "--first=20");
        assertEquals(40, findings.get(0).get("served").get("clients").asInt(), out::toString);
    }

    private JsonNode starve(Server server, int exit, String... options) throws Exception {
        return starve(server, List.of(options).contains(HTTP2_KINDS), exit, options);
    }

    private JsonNode starve(Server server, boolean http2, int exit, String... options) throws Exception {
        return starve(server, http2, "/hello", "/upload", exit, options);
    }

    private JsonNode starvePooled(Server server, int exit, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("--kinds=uploads"));
        words.addAll(List.of(options));
        return starve(server, false, "/pooled?bytes=1", "/pooled?bytes=1", exit, words.toArray(String[]::new));
    }

    private JsonNode starve(Server server, boolean http2, String normal, String upload, int exit, String... options)
            throws Exception {
        try (ContentFolder content = ContentFolder.create()) {
            ServerOptions serving =
                    ServerOptions.serving(content.root()).withWorkers(server == Server.TOMCAT ? THREADS : 0);
            return starve("http", server, http2 ? serving.withHttp2() : serving, normal, upload, exit, options);
        }
    }

    private JsonNode starve(
            String scheme,
            Server server,
            ServerOptions serving,
            String normal,
            String upload,
            int exit,
            String... options)
            throws Exception {
        Path json = folder.resolve("found.json");
        try (ServerProcess process = ServerProcess.start(
                server,
                new PeersFolder(Path.of("target", "peers")),
                new JvmSettings(JvmSettings.ownJava(), "128m", "serial"),
                serving)) {
            String root = scheme + "://localhost:" + process.uri("/").getPort();
            List<String> words = new ArrayList<>(List.of(
                    "starve",
                    root + normal,
                    "--upload-url=" + root + upload,
                    "--read-url=" + root + "/generated?bytes=8388608",
                    "--requests=4",
                    "--deadline=15s",
                    "--json=" + json));
            words.addAll(List.of(options));
            int status = Main.commandLine()
                    .setOut(new PrintWriter(out, true))
                    .setErr(new PrintWriter(out, true))
                    .execute(words.toArray(String[]::new));
            assertEquals(exit, status, out::toString);
        }
        return Json.read(json).get("findings");
    }
}
