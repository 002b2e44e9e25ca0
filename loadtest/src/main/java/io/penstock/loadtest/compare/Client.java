package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.peers.TlsKey;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The programs that send requests without pauses: the table of clients. Each has one thread, and many connections. A connection sends its
 * next request when it has received the response. Unless the user names a client, the first one that is installed and suits is used: a
 * program of others for small requests and responses, and the load test's own client for large ones. The programs of others read at most
 * 8 KB at a time, so they would be the bottleneck for large responses. Only {@code h2load} sends requests over HTTP/2.
 */
enum Client {
    WRK("wrk -t1", "wrk", requests -> true, WrkClient::send),
    H2LOAD("h2load -t1", "h2load", Requests::keepAlive, H2loadClient::send),
    OWN("loadtest", "", requests -> true, OwnClient::send);

    /** The value of the option {@code --client} with which the load test chooses the client. */
    static final String AUTO = "auto";

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration TO_END = Duration.ofSeconds(15);

    /** Sends requests for the given time, and waits for the end. */
    private interface Sending {
        Got send(Target target, Requests requests, Duration time, Optional<TlsKey> key)
                throws IOException, InterruptedException;
    }

    /**
     * The result of one run of a client.
     *
     * @param good the number of responses with a status of 2xx
     * @param failed the number of requests with another response or without a response
     * @param seconds the duration, in seconds
     * @param p50 the median of the latency in milliseconds, NaN if it is not known
     * @param p99 the 99th percentile of the latency in milliseconds, NaN if it is not known
     * @param firstTrouble the first error; empty if there was none
     */
    record Got(long good, long failed, double seconds, double p50, double p99, String firstTrouble) {}

    private final String title;
    private final String program;
    private final Predicate<Requests> can;
    private final Sending sending;

    /**
     * @param program the file name of the program; empty for the load test itself
     * @param can whether the client can send such requests
     */
    Client(String title, String program, Predicate<Requests> can, Sending sending) {
        this.title = title;
        this.program = program;
        this.can = can;
        this.sending = sending;
    }

    /** The name of the client in a report. */
    String title() {
        return title;
    }

    /**
     * Thread: any, one thread at a time.
     *
     * @throws IOException if the client has failed, or is not installed
     */
    Got send(Target target, Requests requests, Duration time, Optional<TlsKey> key)
            throws IOException, InterruptedException {
        if (!isInstalled()) {
            throw new IOException(program + " is not on the path, and no other client can send these requests");
        }
        return sending.send(target, requests, time, key);
    }

    /** @throws IllegalArgumentException if there is no such client, or it is not installed on this machine */
    static void check(String name) {
        if (name.equals(AUTO)) {
            return;
        }
        Client client = Arrays.stream(values())
                .filter(one -> one.id().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--client: no such client: '" + name + "'; use auto, "
                        + Arrays.stream(values()).map(Client::id).collect(Collectors.joining(", "))));
        if (!client.isInstalled()) {
            throw new IllegalArgumentException(
                    "--client: " + name + " is not on the path; install it, or use --client own");
        }
    }

    /** The client for these requests. A client that the user has named is used for all requests that it can send. */
    static Client of(String name, Requests requests) {
        if (requests.http2()) {
            return H2LOAD;
        }
        return Arrays.stream(values())
                .filter(client -> client.can.test(requests))
                .filter(client -> name.equals(AUTO)
                        ? client == OWN || client.isInstalled() && !requests.isLarge()
                        : client == OWN || client.id().equals(name))
                .findFirst()
                .orElse(OWN);
    }

    private String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    private boolean isInstalled() {
        return program.isEmpty()
                || Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** A program did not end although it had said that it was ready. */
    static final class NotEndedException extends IOException {
        private static final long serialVersionUID = 1L;

        private NotEndedException(String message) {
            super(message);
        }
    }

    /** Runs a program, and returns its output. The program does not say when it is ready. */
    static String output(Duration time, List<String> command) throws IOException, InterruptedException {
        return output(time, command, line -> false);
    }

    /**
     * Runs a program, and returns its output.
     *
     * @param time the time for which the program sends requests; if it runs some minutes longer, it is ended, and has failed
     * @param ready whether the program says by this line that it is ready; if it runs some seconds longer, it is ended
     * @throws NotEndedException if it was ended some seconds after that line
     * @throws IOException if the program has failed
     */
    static String output(Duration time, List<String> command, Predicate<String> ready)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        end(process, time.plus(PATIENCE));
        process.getOutputStream().close();
        StringBuilder output = new StringBuilder();
        String last = "";
        boolean wasReady = false;
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.append(line).append('\n');
                last = line.isBlank() ? last : line;
                if (ready.test(line)) {
                    wasReady = true;
                    end(process, TO_END);
                }
            }
        }
        int code = process.waitFor();
        if (code != 0) {
            // Tables have one line for each reason. The output of h2load is long, and ends with what it did last.
            String message = Path.of(command.get(0)).getFileName() + " has ended with code " + code
                    + "; its last line: " + last.strip();
            throw wasReady ? new NotEndedException(message) : new IOException(message);
        }
        return output.toString();
    }

    private static void end(Process process, Duration after) {
        CompletableFuture.delayedExecutor(after.toMillis(), TimeUnit.MILLISECONDS)
                .execute(process::destroyForcibly);
    }

    /** Writes a time in whole seconds, rounded up, for a program that supports only whole seconds. */
    static String wholeSeconds(Duration time) {
        return Long.toString((time.toMillis() + 999) / 1000);
    }

    static String url(Target target, Optional<TlsKey> key) {
        return (key.isPresent() ? "https://" : "http://") + target.authority() + target.path();
    }
}
