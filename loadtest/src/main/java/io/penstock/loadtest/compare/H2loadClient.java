package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.peers.TlsKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client that runs the program {@code h2load} with one thread. It reports no percentiles of latency. */
final class H2loadClient {
    private static final int MOST_ATTEMPTS = 5;
    private static final String NOT_CONNECTED = "requests: 0 total, 0 started";
    private static final String NO_HTTP_2 = "No supported protocol was negotiated";
    private static final Pattern TIME = Pattern.compile("finished in ([0-9.]+)(us|ms|s),");
    private static final Pattern REQUESTS =
            Pattern.compile("requests: (\\d+) total, .* (\\d+) failed, (\\d+) errored, (\\d+) timeout");
    private static final Pattern STATUSES =
            Pattern.compile("status codes: (\\d+) 2xx, (\\d+) 3xx, (\\d+) 4xx, (\\d+) 5xx");

    private H2loadClient() {}

    static Client.Got send(Target target, Requests requests, Duration time, Optional<TlsKey> key)
            throws IOException, InterruptedException {
        Path body = Files.createTempFile("penstock-h2load-", ".body");
        try {
            List<String> command = new ArrayList<>(List.of("h2load", "-t1", "-c" + requests.connections()));
            command.add(requests.http2() ? "--npn-list=h2" : "--h1");
            command.addAll(List.of("-D", Client.wholeSeconds(time), "-m" + requests.pipelined()));
            if (requests.body() > 0) {
                Files.write(body, new byte[requests.body()]);
                command.addAll(List.of("-d", body.toString(), "-H", "Content-Type: application/octet-stream"));
            }
            command.add(Client.url(target, key));
            return parse(run(time, command));
        } finally {
            Files.delete(body);
        }
    }

    private static String run(Duration time, List<String> command) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                String output = Client.output(time, command, line -> line.contains("Stopped all clients"));
                if (attempt == MOST_ATTEMPTS || output.contains(NO_HTTP_2) || !output.contains(NOT_CONNECTED)) {
                    return output;
                }
            } catch (Client.NotEndedException e) {
                if (attempt == MOST_ATTEMPTS) {
                    throw e;
                }
            }
            // No handshake was done within the time, as with a server that has just started, or one was done after the
            // time: then h2load does not end. The next handshakes are quicker.
        }
    }

    static Client.Got parse(String output) throws IOException {
        if (output.contains(NO_HTTP_2)) {
            throw new IOException("the server does not offer HTTP/2");
        }
        Matcher time = TIME.matcher(output);
        Matcher requests = REQUESTS.matcher(output);
        Matcher statuses = STATUSES.matcher(output);
        if (!time.find() || !requests.find() || !statuses.find()) {
            throw new IOException("h2load has printed an unexpected result: " + output.strip());
        }
        double seconds = Double.parseDouble(time.group(1))
                * switch (time.group(2)) {
                    case "us" -> 1e-6;
                    case "ms" -> 1e-3;
                    default -> 1;
                };
        long good = Long.parseLong(statuses.group(1));
        // The requests that are under way at the end are neither answered nor failed.
        long failed = Long.parseLong(requests.group(2)) + Long.parseLong(requests.group(4));
        String trouble = failed == 0 ? "" : statuses.group();
        return new Client.Got(good, failed, good == 0 ? 0 : seconds, Double.NaN, Double.NaN, trouble);
    }
}
