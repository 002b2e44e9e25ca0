package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.peers.TlsKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client that runs the program {@code wrk} with one thread. For small responses {@code wrk} uses less processor time than other clients,
 * so more processor time remains for the server.
 */
final class WrkClient {
    private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in ");
    private static final Pattern RATE = Pattern.compile("Requests/sec: +([0-9.]+)");
    private static final Pattern PERCENTILE = Pattern.compile("(?m)^ +(50|99)% +([0-9.]+)(us|ms|s|m|h)$");
    private static final Pattern OTHER_STATUS = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");
    private static final Pattern ERRORS =
            Pattern.compile("Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)");

    private WrkClient() {}

    static Client.Got send(Target target, Requests requests, Duration time, Optional<TlsKey> key)
            throws IOException, InterruptedException {
        Path script = Files.createTempFile("penstock-wrk-", ".lua");
        try {
            Files.writeString(script, script(requests));
            return parse(Client.output(
                    time,
                    List.of(
                            "wrk",
                            "-t1",
                            "-c" + requests.connections(),
                            "-d" + Client.wholeSeconds(time) + "s",
                            "--latency",
                            "--timeout",
                            "10s",
                            "-s",
                            script.toString(),
                            Client.url(target, key))));
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
            script.append(String.format(
                    Locale.ROOT,
                    "local all%ninit = function(args) all = string.rep(wrk.format(), %d) end%n"
                            + "request = function() return all end%n",
                    work.pipelined()));
        }
        return script.toString();
    }

    static Client.Got parse(String output) throws IOException {
        Matcher requests = REQUESTS.matcher(output);
        Matcher rate = RATE.matcher(output);
        if (!requests.find() || !rate.find()) {
            throw new IOException("wrk has printed an unexpected result: " + output.strip());
        }
        long all = Long.parseLong(requests.group(1));
        double perSecond = Double.parseDouble(rate.group(1));
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
        double seconds = all == 0 ? 0 : all / perSecond;
        return new Client.Got(
                all - otherStatus,
                failed,
                seconds,
                millis(output, "50"),
                millis(output, "99"),
                String.join("; ", troubles));
    }

    /** A percentile of the latency; NaN if the output has no latencies. With pipelined requests, wrk prints some as 0. */
    private static double millis(String output, String wanted) {
        for (Matcher percentile = PERCENTILE.matcher(output); percentile.find(); ) {
            if (percentile.group(1).equals(wanted)) {
                double millis = Double.parseDouble(percentile.group(2)) * inMillis(percentile.group(3));
                return millis == 0 ? Double.NaN : millis;
            }
        }
        return Double.NaN;
    }

    private static double inMillis(String unit) {
        return switch (unit) {
            case "us" -> 1e-3;
            case "ms" -> 1;
            case "s" -> 1e3;
            case "m" -> 60e3;
            default -> 3600e3;
        };
    }
}
