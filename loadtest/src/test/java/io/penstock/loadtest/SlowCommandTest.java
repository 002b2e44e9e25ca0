package io.penstock.loadtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.penstock.testing.FreePort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests the command {@code slow} with few clients. The HTTP server of the tests uses one thread for each request. */
class SlowCommandTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final AtomicInteger answers = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/ok", exchange -> answer(exchange, 200));
        server.createContext("/large", exchange -> answer(exchange, 200, new byte[4 << 20]));
        server.createContext("/tired", exchange -> answer(exchange, answers.incrementAndGet() > 15 ? 503 : 200));
        server.start();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
        threads.shutdownNow();
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        answer(exchange, status, new byte[] {'o', 'k'});
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Test
    void theReportContainsRunsWithAndWithoutSlowClients() {
        run(
                url("/ok"),
                "--idle=10",
                "--half-heads=3",
                "--dripping=3",
                "--requests=80",
                "--drip-length=200",
                "--drop=50");
        String report = out.toString();
        assertEquals(2, count("(?m)^unloaded +40 +40 +0 +0 ", report), report);
        assertEquals(
                2,
                count("(?m)^loaded +40 +40 +0 +0 .*16 of 16 connected, never fewer than 16; 0 disconnected", report),
                report);
        assertEquals(0, count("; answered 0,", report), report);
        assertEquals(2, count("; answered [0-9]+, refused 0", report), report);
        assertTrue(report.contains("All requests were answered; p99 "), report);
        assertEquals("", err.toString());
    }

    @Test
    void slowReadersStayConnectedDuringTheirResponses() {
        run(
                url("/ok"),
                "--idle=0",
                "--half-heads=0",
                "--dripping=0",
                "--reading=5",
                "--read-url=" + url("/large"),
                "--read=100",
                "--read-pause=10",
                "--requests=80");
        String report = out.toString();
        assertEquals(
                2,
                count("(?m)^loaded .*5 of 5 connected \\(5 of 5 readers are being answered.* 0 disconnected", report),
                report);
        assertEquals("", err.toString());
    }

    @Test
    void theCommandReportsAMissedTargetIfRequestsAreRefused() {
        assertEquals(1, run(url("/tired"), "--idle=0", "--half-heads=0", "--dripping=0", "--requests=20"));
        assertTrue(out.toString().contains("first error: status 503"), out.toString());
        assertTrue(out.toString().contains("Not all requests were answered: the target is missed"), out.toString());
    }

    @Test
    void anUnreachableServerIsReportedInOneLine() throws IOException {
        int free = FreePort.next();
        assertEquals(3, run("http://localhost:" + free + "/", "--idle=10"));
        assertTrue(
                err.toString().matches("loadtest: localhost:" + free + " does not answer: connection refused .*\\R"),
                err.toString());
    }

    @Test
    void tooFewFileDescriptorsAreReportedBeforeTheFirstConnection() {
        assertEquals(3, run(url("/ok"), "--idle=2000000000"));
        assertTrue(
                err.toString().matches("loadtest: 20[0-9]+ connections need .* file descriptors, .*\\R"),
                err.toString());
        assertEquals("", out.toString());
    }

    @Test
    void aSilentServerIsReportedAtTheDeadline() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + silent.getLocalPort() + "/";
            assertEquals(3, run(url, "--deadline=100", "--idle=10"));
            assertTrue(err.toString().contains("no response within 100 ms"), err.toString());
        }
    }

    @Test
    void anInvalidOptionOrUrlIsReported() {
        assertEquals(2, run(url("/ok"), "--rate=0"));
        assertTrue(err.toString().contains("--rate must be at least 1, not 0"), err.toString());
        assertEquals(2, run("ftp://localhost/"));
        assertTrue(err.toString().contains("Not a URL that starts with http://"), err.toString());
    }

    private int run(String url, String... options) {
        List<String> arguments = new ArrayList<>(List.of("slow", url, "--warm-up=10", "--drip-pause=10"));
        arguments.addAll(List.of(options));
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return command.execute(arguments.toArray(String[]::new));
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private static int count(String regex, String text) {
        Matcher matcher = Pattern.compile(regex).matcher(text);
        int n = 0;
        while (matcher.find()) {
            n++;
        }
        return n;
    }
}
