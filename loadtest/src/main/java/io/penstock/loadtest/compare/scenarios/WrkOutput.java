package io.penstock.loadtest.compare.scenarios;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code wrk --latency} prints, as far as it is compared.
 *
 * @param perSecond requests answered in a second
 * @param p50Millis the median latency
 * @param failed responses that were neither 2xx nor 3xx, and errors of sockets
 */
record WrkOutput(double perSecond, double p50Millis, long failed) {
    private static final Pattern PER_SECOND = Pattern.compile("^Requests/sec: +([0-9.]+)([kMG]?)$", Pattern.MULTILINE);
    private static final Pattern MEDIAN = Pattern.compile("^ +50% +([0-9.]+)(us|ms|s|m|h)$", Pattern.MULTILINE);
    private static final Pattern OTHER_STATUS =
            Pattern.compile("^ +Non-2xx or 3xx responses: ([0-9]+)$", Pattern.MULTILINE);
    private static final Pattern SOCKETS = Pattern.compile(
            "^ +Socket errors: connect ([0-9]+), read ([0-9]+), write ([0-9]+), timeout ([0-9]+)$", Pattern.MULTILINE);

    /** @throws IllegalArgumentException if it is something else */
    static WrkOutput parse(String output) {
        Matcher perSecond = PER_SECOND.matcher(output);
        Matcher median = MEDIAN.matcher(output);
        if (!perSecond.find() || !median.find()) {
            throw new IllegalArgumentException("wrk has not told requests a second and median: "
                    + output.strip().replaceAll("\\s+", " "));
        }
        return new WrkOutput(
                number(perSecond) * factor(perSecond.group(2)),
                number(median) * millis(median.group(2)),
                sum(OTHER_STATUS.matcher(output)) + sum(SOCKETS.matcher(output)));
    }

    private static double number(Matcher found) {
        return Double.parseDouble(found.group(1));
    }

    private static double factor(String unit) {
        return switch (unit) {
            case "k" -> 1e3;
            case "M" -> 1e6;
            case "G" -> 1e9;
            default -> 1;
        };
    }

    private static double millis(String unit) {
        return switch (unit) {
            case "us" -> 1e-3;
            case "ms" -> 1;
            case "s" -> 1e3;
            case "m" -> 60e3;
            default -> 3600e3;
        };
    }

    private static long sum(Matcher line) {
        long sum = 0;
        if (line.find()) {
            for (int group = 1; group <= line.groupCount(); group++) {
                sum += Long.parseLong(line.group(group));
            }
        }
        return sum;
    }
}
