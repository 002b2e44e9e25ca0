package io.penstock.standalone;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Starts {@code penstock.jar} with the sample web application at {@code /}, the sample chat at {@code /chat}, and four workers. If the
 * system property {@code sample.url} is set, the tests use the running server at this URL. The tests do not stop such a server.
 *
 * <p>{@link #close} ends the process that {@link #start} has started.
 */
final class SampleServer implements AutoCloseable {
    static final int WORKERS = 4;

    private static final Pattern ADDRESS = Pattern.compile("https?://[^/\\s]+:([0-9]+)");

    private final String url;
    private final Optional<Process> process;

    private SampleServer(String url, Optional<Process> process) {
        this.url = url;
        this.process = process;
    }

    static SampleServer start() throws IOException {
        String running = System.getProperty("sample.url");
        if (running != null) {
            return new SampleServer(running, Optional.empty());
        }
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-jar",
                        System.getProperty("penstock.jar", "target/penstock.jar"),
                        "--port",
                        "0",
                        "--workers",
                        Integer.toString(WORKERS),
                        "--admin-port",
                        "0",
                        "/=" + System.getProperty("sample.webapp", "../../sample-webapp/target/sample-webapp.war"),
                        "/chat=" + System.getProperty("sample.chat", "../../sample-chat/target/sample-chat.war"))
                .redirectErrorStream(true)
                .start();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        return new SampleServer("http://localhost:" + portFrom(output), Optional.of(process));
    }

    /** Returns the URL without a slash at the end. */
    String url() {
        return url;
    }

    @Override
    public void close() throws InterruptedException {
        if (process.isPresent()) {
            process.get()
                    .toHandle()
                    .destroy(); // Process.destroy() would also close the output, which a thread still reads
            if (!process.get().waitFor(60, TimeUnit.SECONDS)) {
                process.get().destroyForcibly();
                throw new IllegalStateException("The server did not end within 60 seconds");
            }
        }
    }

    /** Reads the port from the first line that contains an address. Copies later lines to the output of the test. */
    private static String portFrom(BufferedReader output) throws IOException {
        StringBuilder seen = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            seen.append(line).append('\n');
            Matcher address = ADDRESS.matcher(line);
            if (address.find()) {
                Thread rest = new Thread(() -> output.lines().forEach(System.out::println), "server-output");
                rest.setDaemon(true);
                rest.start();
                return address.group(1);
            }
        }
        throw new IllegalStateException("The server ended before it printed its address:\n" + seen);
    }
}
