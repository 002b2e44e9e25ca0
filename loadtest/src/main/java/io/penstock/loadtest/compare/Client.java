package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.load.ClosedLoop;
import io.penstock.loadtest.load.ClosedPlan;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.peers.ChildJvm;
import io.penstock.loadtest.peers.TlsKey;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The programs that send requests without pauses: the table of clients. Each has one thread, and many connections. A connection sends its
 * next request when it has received the response. Unless the user names a client, the first one that is installed and suits is used: a
 * program of others for small requests and responses, and the load test's own client for large ones. The programs of others read at most
 * 8 KB at a time, so they would be the bottleneck for large responses. Only {@code h2load} sends requests over HTTP/2.
 */
enum Client {
    WRK("wrk -t1", "wrk", requests -> true, Wrk::send),
    H2LOAD("h2load -t1", "h2load", Requests::keepAlive, H2load::send),
    OWN("loadtest", "", requests -> true, Client::sendItself);

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

    /**
     * Runs a program, and returns its output. The program ends with this method, also if the thread is interrupted, and with this JVM.
     *
     * @param time the time for which the program sends requests; if it runs some minutes longer, it is ended, and has failed
     * @param ready whether the program says by this line that it is ready; if it runs some seconds longer, it is ended
     * @throws NotEndedException if it was ended some seconds after that line
     * @throws IOException if the program has failed
     */
    static String output(Duration time, List<String> command, Predicate<String> ready)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        ChildJvm.endWithThisJvm(process);
        try {
            end(process, time.plus(PATIENCE));
            process.getOutputStream().close();
            // An interrupt does not end the wait for a line, so a thread of its own reads the lines.
            FutureTask<List<String>> reading = new FutureTask<>(() -> lines(process, ready));
            Thread reader = new Thread(reading, "output of " + command.get(0));
            reader.setDaemon(true);
            reader.start();
            int code = process.waitFor();
            List<String> lines = reading.get();
            if (code != 0) {
                String message = failure(command, code, lines);
                throw lines.stream().anyMatch(ready) ? new NotEndedException(message) : new IOException(message);
            }
            return String.join("\n", lines);
        } catch (ExecutionException unreadable) {
            throw new IOException("the output cannot be read: " + unreadable.getCause(), unreadable);
        } finally {
            process.destroyForcibly();
            ChildJvm.awaitEnd(process, TO_END);
        }
    }

    private static List<String> lines(Process process, Predicate<String> ready) throws IOException {
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
                if (ready.test(line)) {
                    end(process, TO_END);
                }
            }
        }
        return lines;
    }

    /** Tables have one line for each reason. The output of h2load is long, and ends with what it did last. */
    private static String failure(List<String> command, int code, List<String> lines) {
        String last = lines.stream()
                .filter(line -> !line.isBlank())
                .reduce((former, latter) -> latter)
                .orElse("");
        return Path.of(command.get(0)).getFileName() + " has ended with code " + code + "; its last line: "
                + last.strip();
    }

    private static void end(Process process, Duration after) {
        CompletableFuture.delayedExecutor(after.toMillis(), TimeUnit.MILLISECONDS)
                .execute(process::destroyForcibly);
    }

    /** A time in whole seconds, rounded up, for a program that supports only whole seconds. */
    private static String wholeSeconds(Duration time) {
        return Long.toString((time.toMillis() + 999) / 1000);
    }

    private static String url(Target target, Optional<TlsKey> key) {
        return (key.isPresent() ? "https://" : "http://") + target.authority() + target.path();
    }

    /** A unit of time in the output of a program, in milliseconds. */
    private static double inMillis(String unit) {
        return switch (unit) {
            case "us" -> 1e-3;
            case "ms" -> 1;
            case "s" -> 1e3;
            case "m" -> 60e3;
            default -> 3600e3;
        };
    }

    /** Sends requests with the load test's own client, which reads large responses in large pieces. */
    private static Got sendItself(Target target, Requests requests, Duration time, Optional<TlsKey> key)
            throws IOException, InterruptedException {
        Request request = requests.body() == 0
                ? Request.get(target)
                : Request.of("POST", target)
                        .withField("Content-Type", "application/octet-stream")
                        .withZeros(requests.body());
        ClosedPlan plan = ClosedPlan.of(
                        requests.keepAlive() ? request : request.withField("Connection", "close"),
                        requests.connections(),
                        time)
                .withPipelining(requests.pipelined());
        // The limit is twice the number of connections. When the server closes a connection, the next connection may be
        // opened before the closed connection is removed from the count.
        ClientSettings settings = ClientSettings.defaults().withMaxConnections(2 * requests.connections());
        try (ClientLoop loop =
                ClientLoop.start(key.isPresent() ? settings.withTls(key.get().client()) : settings)) {
            LoadResult result = new ClosedLoop(loop, plan).await();
            return new Got(
                    result.answered(),
                    result.non2xx() + result.failed(),
                    result.elapsed().toNanos() / 1e9,
                    result.millis(50),
                    result.millis(99),
                    result.firstTrouble());
        }
    }

    /**
     * The program {@code wrk} with one thread. For small responses it uses less processor time than other clients, so more processor time
     * remains for the server.
     */
    static final class Wrk {
        private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in ");
        private static final Pattern RATE = Pattern.compile("Requests/sec: +([0-9.]+)");
        private static final Pattern OTHER_STATUS = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");
        private static final Pattern ERRORS =
                Pattern.compile("Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)");

        private Wrk() {}

        private static Got send(Target target, Requests requests, Duration time, Optional<TlsKey> key)
                throws IOException, InterruptedException {
            Path script = Files.createTempFile("penstock-wrk-", ".lua");
            try {
                Files.writeString(script, script(requests));
                List<String> command = new ArrayList<>(List.of("wrk", "-t1", "-c" + requests.connections()));
                command.addAll(List.of("-d" + wholeSeconds(time) + "s", "--latency", "--timeout", "10s"));
                command.addAll(List.of("-s", script.toString(), url(target, key)));
                return parse(output(time, command, line -> false));
            } finally {
                Files.delete(script);
            }
        }

        /** The Lua script with which {@code wrk} creates the requests. */
        static String script(Requests work) {
            StringBuilder script = new StringBuilder();
            if (work.body() > 0) {
                script.append("wrk.method = 'POST'\n");
                script.append("wrk.headers['Content-Type'] = 'application/octet-stream'\n");
                script.append("wrk.body = string.rep('x', ").append(work.body()).append(")\n");
            }
            if (!work.keepAlive()) {
                script.append("wrk.headers['Connection'] = 'close'\n");
            }
            if (work.pipelined() > 1) {
                script.append("local all\ninit = function(args) all = string.rep(wrk.format(), ");
                script.append(work.pipelined()).append(") end\nrequest = function() return all end\n");
            }
            return script.toString();
        }

        static Got parse(String output) throws IOException {
            Matcher requests = REQUESTS.matcher(output);
            Matcher rate = RATE.matcher(output);
            if (!requests.find() || !rate.find()) {
                throw new IOException("wrk has printed an unexpected result: " + output.strip());
            }
            long all = Long.parseLong(requests.group(1));
            List<String> troubles = new ArrayList<>();
            Matcher other = OTHER_STATUS.matcher(output);
            long otherStatus = 0;
            if (other.find()) {
                otherStatus = Long.parseLong(other.group(1));
                troubles.add("other statuses: " + otherStatus);
            }
            long failed = otherStatus;
            Matcher errors = ERRORS.matcher(output);
            if (errors.find()) {
                for (int i = 1; i <= errors.groupCount(); i++) {
                    failed += Long.parseLong(errors.group(i));
                }
                troubles.add(errors.group().toLowerCase(Locale.ROOT));
            }
            double seconds = all == 0 ? 0 : all / Double.parseDouble(rate.group(1));
            String trouble = String.join("; ", troubles);
            return new Got(all - otherStatus, failed, seconds, millis(output, 50), millis(output, 99), trouble);
        }

        /** A percentile of the latency; NaN if the output has no latencies. With pipelined requests, wrk prints some as 0. */
        private static double millis(String output, int percentile) {
            Matcher latency = Pattern.compile("(?m)^ +" + percentile + "% +([0-9.]+)(us|ms|s|m|h)$")
                    .matcher(output);
            double millis = latency.find() ? Double.parseDouble(latency.group(1)) * inMillis(latency.group(2)) : 0;
            return millis == 0 ? Double.NaN : millis;
        }
    }

    /** The program {@code h2load} with one thread. It reports no percentiles of latency. */
    static final class H2load {
        private static final int MOST_ATTEMPTS = 5;
        private static final String NOT_CONNECTED = "requests: 0 total, 0 started";
        private static final String NO_HTTP_2 = "No supported protocol was negotiated";
        private static final Pattern TIME = Pattern.compile("finished in ([0-9.]+)(us|ms|s),");
        private static final Pattern REQUESTS =
                Pattern.compile("requests: (\\d+) total, .* (\\d+) failed, (\\d+) errored, (\\d+) timeout");
        private static final Pattern STATUSES =
                Pattern.compile("status codes: (\\d+) 2xx, (\\d+) 3xx, (\\d+) 4xx, (\\d+) 5xx");

        private H2load() {}

        private static Got send(Target target, Requests requests, Duration time, Optional<TlsKey> key)
                throws IOException, InterruptedException {
            Path body = Files.createTempFile("penstock-h2load-", ".body");
            try {
                List<String> command = new ArrayList<>(List.of("h2load", "-t1", "-c" + requests.connections()));
                command.add(requests.http2() ? "--npn-list=h2" : "--h1");
                command.addAll(List.of("-D", wholeSeconds(time), "-m" + requests.pipelined()));
                if (requests.body() > 0) {
                    Files.write(body, new byte[requests.body()]);
                    command.addAll(List.of("-d", body.toString(), "-H", "Content-Type: application/octet-stream"));
                }
                command.add(url(target, key));
                return parse(run(time, command));
            } finally {
                Files.delete(body);
            }
        }

        private static String run(Duration time, List<String> command) throws IOException, InterruptedException {
            for (int attempt = 1; ; attempt++) {
                try {
                    String output = output(time, command, line -> line.contains("Stopped all clients"));
                    if (attempt == MOST_ATTEMPTS || output.contains(NO_HTTP_2) || !output.contains(NOT_CONNECTED)) {
                        return output;
                    }
                } catch (NotEndedException e) {
                    if (attempt == MOST_ATTEMPTS) {
                        throw e;
                    }
                }
                // No handshake was done within the time, as with a server that has just started, or one was done after
                // the time: then h2load does not end. The next handshakes are quicker.
            }
        }

        static Got parse(String output) throws IOException {
            if (output.contains(NO_HTTP_2)) {
                throw new IOException("the server does not offer HTTP/2");
            }
            Matcher time = TIME.matcher(output);
            Matcher requests = REQUESTS.matcher(output);
            Matcher statuses = STATUSES.matcher(output);
            if (!time.find() || !requests.find() || !statuses.find()) {
                throw new IOException("h2load has printed an unexpected result: " + output.strip());
            }
            double seconds = Double.parseDouble(time.group(1)) * inMillis(time.group(2)) / 1e3;
            long good = Long.parseLong(statuses.group(1));
            // The requests that are under way at the end are neither answered nor failed.
            long failed = Long.parseLong(requests.group(2)) + Long.parseLong(requests.group(4));
            String trouble = failed == 0 ? "" : statuses.group();
            return new Got(good, failed, good == 0 ? 0 : seconds, Double.NaN, Double.NaN, trouble);
        }
    }
}
