package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.client.Target;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client that runs the program {@code wrk} with one thread. For small responses {@code wrk} uses less processor time than other clients,
 * so more processor time remains for the server.
 */
final class WrkClient implements Client {
    private static final String PROGRAM = "wrk";
    private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in ");
    private static final Pattern RATE = Pattern.compile("Requests/sec: +([0-9.]+)");
    private static final Pattern PERCENTILE = Pattern.compile("(?m)^ +(50|99)% +([0-9.]+)(us|ms|s|m|h)$");
    private static final Pattern OTHER_STATUS = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");
    private static final Pattern ERRORS =
            Pattern.compile("Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)");

    @Override
    public String title() {
        return "wrk -t1";
    }

    /** Whether {@code wrk} is installed on this machine. */
    static boolean isOnPath() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, PROGRAM)));
    }

    /** The time is rounded up to whole seconds, since {@code wrk} supports only whole seconds. */
    @Override
    public Got ask(Target target, Work.Requests work, Duration time) throws IOException, InterruptedException {
        Path script = Files.createTempFile("penstock-wrk-", ".lua");
        try {
            Files.writeString(script, script(work));
            List<String> command = new ArrayList<>(List.of(PROGRAM, "-t1", "-c" + work.connections()));
            command.add("-d" + (time.toMillis() + 999) / 1000 + "s");
            command.addAll(List.of("--latency", "--timeout", "10s", "-s", script.toString()));
            command.add((work.tls() ? "https://" : "http://") + target.authority() + target.path());
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException("wrk has failed: " + output.strip());
            }
            return parse(output);
        } finally {
            Files.delete(script);
        }
    }

    /** The Lua script with which {@code wrk} creates the requests. */
    static String script(Work.Requests work) {
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

    static Got parse(String output) throws IOException {
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
        return new Got(all - otherStatus, failed, seconds, tail(output), String.join("; ", troubles));
    }

    /** The 99th percentile divided by the median; NaN if the output has no latencies. */
    private static double tail(String output) {
        double median = Double.NaN;
        double high = Double.NaN;
        for (Matcher percentile = PERCENTILE.matcher(output); percentile.find(); ) {
            double micros = Double.parseDouble(percentile.group(2)) * micros(percentile.group(3));
            if (percentile.group(1).equals("50")) {
                median = micros;
            } else {
                high = micros;
            }
        }
        return median > 0 ? high / median : Double.NaN;
    }

    private static double micros(String unit) {
        return switch (unit) {
            case "us" -> 1;
            case "ms" -> 1e3;
            case "s" -> 1e6;
            case "m" -> 60e6;
            default -> 3600e6;
        };
    }
}
