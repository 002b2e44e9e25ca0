package io.penstock.loadtest.starve;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.report.Column;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.Table;
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

    /** A table with one row for each kind of slow client. */
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

    /** One or more sentences for each kind of slow client. */
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

    /** The results as a map for JSON. */
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("environment", environment);
        json.put("bounds", plan.limits());
        json.put("deadline", plan.deadline);
        json.put("alone", alone);
        json.put("findings", findings);
        return json;
    }
}
