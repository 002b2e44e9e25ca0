package io.penstock.boot.autoconfigure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalysisReporter;

/** Stores Boot's reports of failed starts, so that tests can read them. */
final class ReportedFailures implements FailureAnalysisReporter {
    private static final List<FailureAnalysis> ALL = new CopyOnWriteArrayList<>();

    @Override
    public void report(FailureAnalysis analysis) {
        ALL.add(analysis);
    }

    static void clear() {
        ALL.clear();
    }

    static List<FailureAnalysis> all() {
        return List.copyOf(ALL);
    }
}
