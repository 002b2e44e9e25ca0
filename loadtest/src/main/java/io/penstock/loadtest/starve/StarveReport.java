package io.penstock.loadtest.starve;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.Table;
import io.penstock.loadtest.report.Table.Column;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The results of the search as sentences, as a table, and as JSON.
 *
 * @param alone the results of normal requests without slow clients
 */
record StarveReport(Environment environment, StarvePlan plan, Finding.Answered alone, List<Finding> findings) {

    StarveReport {
        findings = List.copyOf(findings);
    }

    boolean isStopped() {
        return findings.stream().anyMatch(finding -> finding.stopped() != null);
    }

    /** Whether each kind was tried up to the bound of clients, or stops the server. */
    boolean isConclusive() {
        return findings.stream().allMatch(Finding::isConclusive);
    }

    Table table() {
        Table table = new Table(
                Column.text("slow clients"),
                Column.count("server stops at"),
                Column.count("server answers at"),
                Column.number("p99 there (ms)", 1),
                Column.number("bytes/s in total", 0),
                Column.text("normal requests when it stops"));
        for (Finding finding : findings) {
            Finding.@Nullable Step stopped = finding.stopped();
            Finding.@Nullable Step served = finding.served();
            Finding.@Nullable Step last = stopped == null ? served : stopped;
            table.add(
                    finding.kind().words(),
                    stopped == null ? null : stopped.clients(),
                    served == null ? null : served.clients(),
                    served == null ? null : served.answered().p99Millis(),
                    last == null ? null : last.bytesASecond(),
                    stopped == null ? null : stopped.answered().describe());
        }
        return table;
    }

    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        for (Finding finding : findings) {
            sentences.add(sentence(finding));
        }
        if (!isStopped() && isConclusive()) {
            sentences.add("No number of slow clients within the bounds ("
                    + plan.limits().describe() + ") stops this server.");
        }
        return sentences;
    }

    private String sentence(Finding finding) {
        if (!finding.notTried().isEmpty()) {
            return capital(finding.kind().words()) + " were not tried: " + finding.notTried() + ".";
        }
        Finding.@Nullable Step stopped = finding.stopped();
        String text = stopped == null ? served(finding) : stopped(finding, stopped);
        return finding.endedEarly().isEmpty() ? text : text + " The search ended early: " + finding.endedEarly() + ".";
    }

    private String stopped(Finding finding, Finding.Step step) {
        String text = String.format(
                Locale.ROOT,
                "%s, with %,.0f bytes/s in total, %s this server: of %d normal requests, %d were answered"
                        + " within %s (%s).",
                capital(finding.kind().counted(step.clients())),
                step.bytesASecond(),
                step.clients() == 1 ? "stops" : "stop",
                step.answered().requests(),
                step.answered().answered(),
                DurationConverter.text(plan.deadline),
                step.answered().others());
        if (step.standing() < step.clients()) {
            text += " Of the slow clients, only " + step.standing() + " were accepted.";
        }
        Finding.@Nullable Step served = finding.served();
        if (served != null) {
            text += " With " + served.clients() + ": " + served.answered().describe() + ".";
        }
        if (finding.recovery() != null) {
            text += String.format(
                    Locale.ROOT,
                    " The server answered again %.1f s after the slow clients had disconnected.",
                    finding.recovery().toMillis() / 1e3);
        }
        return text;
    }

    private static String served(Finding finding) {
        Finding.@Nullable Step step = finding.served();
        if (step == null) {
            return "No number of " + finding.kind().words() + " was tried.";
        }
        String text = capital(finding.kind().counted(step.clients()))
                + (step.clients() == 1 ? " does" : " do") + " not stop the server: "
                + step.answered().describe() + ".";
        return step.standing() == step.clients()
                ? text
                : text + " Of the slow clients, " + step.standing() + " were accepted.";
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("environment", environment);
        json.put("bounds", plan.limits());
        json.put("deadline", plan.deadline);
        json.put("alone", alone);
        json.put("findings", findings);
        return json;
    }

    /**
     * The result for one kind of slow client.
     *
     * @param notTried the reason for which the kind was not tried; empty if it was tried
     * @param endedEarly the reason for which the search ended early, for example a bound; empty if the search is complete
     * @param stopped the step with the smallest number of slow clients that stopped the server; null if no step stopped the server
     * @param served the step with the largest number of slow clients at which the server answered; null if there was no such step
     * @param recovery the time from the end of the slow clients that stopped the server until the server answered again; null if no recovery
     *     was measured
     */
    record Finding(
            SlowKind kind,
            String notTried,
            String endedEarly,
            @Nullable Step stopped,
            @Nullable Step served,
            @Nullable Duration recovery) {

        /**
         * The results of one step of the search. In a step, normal requests are sent while a number of slow clients are connected.
         *
         * @param clients the number of slow clients
         * @param standing the number of slow clients that were connected when the normal requests began
         * @param sent the number of bytes that all slow clients sent in this step, including request heads
         * @param bytesASecond the number of bytes per second that all slow clients together send or read, calculated from their settings
         * @param refused the number of slow uploads and readers that were answered with an error in this step, so that they were not slow
         * @param lastTrouble the reason for which the last connection of a slow client failed; empty if none has failed
         * @param answered the results of the normal requests
         */
        record Step(
                int clients,
                int standing,
                long sent,
                double bytesASecond,
                int refused,
                String lastTrouble,
                Answered answered) {}

        /** Whether the search found the answer for this kind: a number that stops the server, or none up to the bound of clients. */
        boolean isConclusive() {
            return stopped != null || (notTried.isEmpty() && endedEarly.isEmpty());
        }

        static Finding notTried(SlowKind kind, String reason) {
            return new Finding(kind, reason, "", null, null, null);
        }

        /**
         * The results of a number of normal requests.
         *
         * @param requests the number of requests
         * @param answered the number of requests that were answered with a status of 2xx within the deadline
         * @param p99Millis the 99th percentile of the latency, in milliseconds; NaN if no latency was recorded
         * @param others a text about the requests that were not answered with 2xx; empty if there were no such requests
         */
        record Answered(long requests, long answered, double p99Millis, String others) {

            static Answered of(LoadResult result) {
                List<String> others = new ArrayList<>();
                result.statuses().forEach((status, count) -> {
                    if (status < 200 || status > 299) {
                        others.add(count + (status == 503 ? " refused with " : " answered with ") + status);
                    }
                });
                result.failures()
                        .forEach((failure, count) -> others.add(count + " "
                                + (failure == Failure.DEADLINE ? "not answered in time" : failure.label())));
                return new Answered(result.requests(), result.answered(), result.millis(99), String.join(", ", others));
            }

            /** Whether the server counts as stopped: less than half of the requests were answered. */
            boolean isStopped() {
                return 2 * answered < requests;
            }

            boolean isComplete() {
                return answered == requests;
            }

            /** The results as text, such as {@code 20 of 20 answered, p99 1.2 ms} or {@code 0 of 20 answered, 20 not answered in time}. */
            String describe() {
                String text = answered + " of " + requests + " answered";
                if (answered > 0) {
                    text += String.format(Locale.ROOT, ", p99 %.1f ms", p99Millis);
                }
                return others.isEmpty() ? text : text + ", " + others;
            }
        }
    }
}
