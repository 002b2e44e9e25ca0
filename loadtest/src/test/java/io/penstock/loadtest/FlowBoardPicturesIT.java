package io.penstock.loadtest;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testing.FreePort;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Checks that the flow board of a server (the page of its admin port) shows the right state in each scenario, and takes pictures of the
 * board. The pictures are written to {@code target/board}. With {@code -Dpenstock.docs=write}, the scenarios run in full size, and the
 * pictures are written to {@code docs/images}.
 */
@Isolated("the test measures the use of the processor")
@NeedsProgram({Program.CHROMIUM, Program.CHROMEDRIVER})
class FlowBoardPicturesIT {
    private static final boolean FOR_DOCUMENTS = "write".equals(System.getProperty("penstock.docs"));
    private static final Path PICTURES = Path.of(FOR_DOCUMENTS ? "../docs/images" : "target/board");
    private static final String LOADTEST = "target/loadtest.jar";
    private static final String PENSTOCK = "target/peers/penstock.jar";
    private static final Duration TIMEOUT = Duration.ofSeconds(FOR_DOCUMENTS ? 180 : 60);

    /**
     * The minimum time for which a board is open before the test takes a picture of it. For the documents, this time is longer, so that
     * the chart of the last minute contains more data.
     */
    private static final int MIN_OPEN_MILLIS = FOR_DOCUMENTS ? 25_000 : 1_000;

    private static BoardVisitor visitor;

    @BeforeAll
    static void startBrowser() throws IOException {
        visitor = new BoardVisitor(PICTURES, TIMEOUT);
    }

    @AfterAll
    static void stopBrowser() {
        if (visitor != null) {
            visitor.close();
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "penstock.docs", matches = "write")
    void theBoardShowsAnIdleServer() throws Exception {
        int admin = FreePort.next();
        try (Running server = run(PENSTOCK, "--settings", "default", "--set", "admin-port=" + admin)) {
            visitor.openBoard(server, admin);
            visitor.awaitState(server, "Calm", "Quiet: nobody is connected\\.", MIN_OPEN_MILLIS);
            visitor.picture("board-idle", 1440, "light");
            visitor.printCost("idle", admin);
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "penstock.docs", matches = "write")
    void theBoardShowsNormalLoad() throws Exception {
        int admin = FreePort.next();
        int port = FreePort.next();
        String url = "http://localhost:" + port + "/work?millis=5";
        try (Running server = run(
                PENSTOCK, "--port", Integer.toString(port), "--settings", "default", "--set", "admin-port=" + admin)) {
            visitor.openBoard(server, admin);
            try (Running load = run(LOADTEST, "run", url, "--rate", "600", "--duration", "2m")) {
                visitor.awaitState(load, "Calm", "[5-7]\\d\\d requests a second are answered\\.", MIN_OPEN_MILLIS);
                visitor.picture("board-load", 1440, "light");
                visitor.printCost("load", admin);
            }
        }
    }

    @Test
    void theBoardShowsSlowClients() throws Exception {
        int admin = FreePort.next();
        try (Running load = scenario(
                admin,
                "slow-mixed",
                List.of("--servers=penstock-defaults"),
                "--smoke",
                "--uploads=60",
                "--readers=30",
                "--file-readers=30",
                "--half-heads=20",
                "--warm-up=200",
                "--requests=60000")) {
            visitor.openBoard(load, admin);
            visitor.awaitState(
                    load,
                    "Slow clients",
                    "[\\d,]+ clients send slowly, [\\d,]+ take their answers slowly\\.",
                    MIN_OPEN_MILLIS);
            visitor.awaitMarkedStations(load, List.of("st-arriving", "st-draining"));
            visitor.picture("board-slow", 1440, "light");
            visitor.picture("board-slow-phone", 390, "light");
        }
    }

    @Test
    void theBoardShowsAnOverload() throws Exception {
        int admin = FreePort.next();
        // The server has the default number of workers. Together they answer 200 requests per second.
        List<String> defaults = List.of("--servers=penstock", "--workers=240", "--millis=1200");
        try (Running load = scenario(admin, "overload", defaults, "--smoke", "--before=1s", "--duration=10m")) {
            visitor.openBoard(load, admin);
            visitor.awaitState(
                    load,
                    "Trouble",
                    "(The application is slow in WorkServlet\\.answer|More requests come than the workers can serve)\\.",
                    MIN_OPEN_MILLIS);
            visitor.awaitDetails(
                    load,
                    "(All|\\d+ of) 240 workers are in WorkServlet\\.answer(, for up to [\\d.]+ m?s)?\\. [\\d,]+ requests( for / [^,]+)? wait, the oldest for"
                            + " [\\d.]+ m?s\\.( Others are served\\.)? [\\d,]+ requests a second are refused\\.");
            visitor.awaitMarkedStations(load, List.of("st-workers"));
            visitor.picture("board-overload", 1440, "light");
            visitor.picture("board-overload-dark", 1440, "dark");
        }
    }

    // ---- the programs

    /**
     * A running program: a server or the load test. The method {@link #close} closes the standard input of the program, and destroys its
     * process. The end of the standard input ends a server.
     */
    record Running(Process process, Path output) implements AutoCloseable {
        @Override
        public void close() throws IOException, InterruptedException {
            process.getOutputStream().close();
            process.destroy();
            assertTrue(
                    process.waitFor(60, TimeUnit.SECONDS),
                    "the program did not end within 60 seconds: " + Files.readString(output));
        }

        void assertIsRunning() {
            try {
                assertTrue(process.isAlive(), "the program has ended: " + Files.readString(output));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** @param smallRunOptions the options that make the run small; these options are not used for the pictures in the documents */
    private static Running scenario(int admin, String name, List<String> options, String... smallRunOptions)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of("compare", name, "--admin-port=" + admin));
        arguments.addAll(options);
        if (!FOR_DOCUMENTS) {
            arguments.addAll(List.of(smallRunOptions));
        }
        return run(LOADTEST, arguments.toArray(String[]::new));
    }

    private static Running run(String jar, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-jar", jar));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(Path.of("target"), "board-", ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Running(process, output);
    }
}
