package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The user guide explains how to find a slow request with the tools of the JDK. This test runs the commands of the user guide. */
class FlightRecorderIT {
    private static final long SLOW_MILLIS = 200;

    @TempDir
    Path folder;

    @Test
    void aRecordingShowsTheDurationsAndTheCauseOfASlowRequest() throws Exception {
        Path recording = folder.resolve("slow.jfr");
        try (JarProcess jar = JarProcess.run("0", application().toString())) {
            int port = JarProcess.port(jar.startLine());
            String pid = Long.toString(jar.pid());
            tool("jcmd", pid, "JFR.start", "name=slow", "duration=60s", "filename=" + recording);
            assertEquals("1000", upload(port, "/upload/quick", () -> {}));
            assertEquals("1000", upload(port, "/upload/slow", () -> awaitSlowWorker(pid)));
            tool("jcmd", pid, "JFR.stop", "name=slow");
            String summary = tool("jfr", "summary", recording.toString());
            assertTrue(summary.lines().anyMatch(line -> line.matches(" *io\\.penstock\\.Request +[1-9].*")), summary);

            String request = slow(tool("jfr", "print", "--events", "io.penstock.Request", recording.toString()));
            assertTrue(millis(request, "duration") >= SLOW_MILLIS, request);
            assertTrue(millis(request, "service") >= SLOW_MILLIS, request);
            assertTrue(request.contains("status = 200"), request);
            assertTrue(request.contains("outcome = \"answered\""), request);
            for (String stage : List.of("head", "body", "queue", "drain")) {
                assertTrue(millis(request, stage) < millis(request, "service"), request);
            }
            assertTrue(id(request).endsWith("-1"), request);

            String stall = slow(
                    tool("jfr", "print", "--stack-depth", "40", "--events", "io.penstock.Stall", recording.toString()));
            assertEquals(id(request), id(stall), stall);
            assertTrue(stall.contains("side = \"request\""), stall);
            assertTrue(stall.contains("eventThread = \"worker-"), stall);
            assertTrue(stall.contains("SlowUploadServlet.doPost"), stall);
        }
    }

    /** Returns the event of the slow upload. On a busy machine, the recording may also contain an event of the quick upload. */
    private static String slow(String printed) {
        return Arrays.stream(printed.split("(?m)^}"))
                .filter(event -> event.contains("path = \"/upload/slow\""))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the event of /upload/slow is not in " + printed));
    }

    private Path application() throws IOException {
        Path classes = Files.createDirectories(folder.resolve("app/WEB-INF/classes/io/penstock/standalone"));
        String name = SlowUploadServlet.class.getSimpleName() + ".class";
        Files.write(
                classes.resolve(name),
                SlowUploadServlet.class.getResourceAsStream(name).readAllBytes());
        return folder.resolve("app");
    }

    /** An action of a client between the two halves of a body. */
    @FunctionalInterface
    private interface Pause {
        void run() throws Exception;
    }

    /**
     * Waits until a worker waits for the client, and then for {@link #SLOW_MILLIS}. On a busy machine, the worker may begin to wait long
     * after the client has sent the first half of the body.
     */
    private static void awaitSlowWorker(String pid) {
        Awaitility.await().until(() -> hasWaitingWorker(tool("jcmd", pid, "Thread.print")));
        Awaitility.await().pollDelay(Duration.ofMillis(SLOW_MILLIS)).until(() -> true);
    }

    private static boolean hasWaitingWorker(String threads) {
        return Arrays.stream(threads.split("\n\n"))
                .anyMatch(thread -> thread.contains("WAITING") && thread.contains("SlowUploadServlet.doPost"));
    }

    /** Sends a thousand bytes with a pause after the first half. Returns the body of the response. */
    private static String upload(int port, String path, Pause pause) throws Exception {
        try (Socket client = new Socket("localhost", port)) {
            OutputStream out = client.getOutputStream();
            String half = "x".repeat(500);
            out.write(("POST " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n"
                            + half)
                    .getBytes(StandardCharsets.US_ASCII));
            pause.run();
            out.write(half.getBytes(StandardCharsets.US_ASCII));
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            String last = "";
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                last = line;
            }
            return last;
        }
    }

    /** Runs a tool of the JDK that runs this test. Returns the output of the tool. */
    private static String tool(String name, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", name).toString());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), said);
        assertEquals(0, process.exitValue(), said);
        return said;
    }

    private static String id(String event) {
        return value(event, "id").replace("\"", "");
    }

    /** Parses a duration in the format of {@code jfr print}. */
    private static double millis(String event, String field) {
        String[] time = value(event, field).split(" ");
        double number = Double.parseDouble(time[0].replace(',', '.'));
        return switch (time[1]) {
            case "ns" -> number / 1e6;
            case "us" -> number / 1e3;
            case "ms" -> number;
            case "s" -> number * 1e3;
            default -> throw new IllegalArgumentException(field + ": " + time[1]);
        };
    }

    private static String value(String event, String field) {
        return event.lines()
                .map(String::strip)
                .filter(line -> line.startsWith(field + " = "))
                .findFirst()
                .orElseThrow(() -> new AssertionError(field + " is not in " + event))
                .substring(field.length() + 3);
    }
}
