package io.penstock.loadtest.compare.scenarios;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Prints and keeps what has been measured if this JVM is stopped before all has been, with Ctrl-C for example.
 *
 * <p>Thread: its own at the JVM's end; all methods the one that measures.
 */
final class IfStopped {
    private final Report report;
    private final PrintWriter out;
    private final @Nullable Path folder;
    private final Thread atEnd = new Thread(this::print, "partial results");

    private IfStopped(Report report, PrintWriter out, @Nullable Path folder) {
        this.report = report;
        this.out = out;
        this.folder = folder;
    }

    static IfStopped watch(Report report, PrintWriter out, @Nullable Path folder) {
        IfStopped watch = new IfStopped(report, out, folder);
        Runtime.getRuntime().addShutdownHook(watch.atEnd);
        return watch;
    }

    /** All has been measured, or the command tells itself why not. */
    void end() {
        try {
            Runtime.getRuntime().removeShutdownHook(atEnd);
        } catch (IllegalStateException ending) {
            out.println("Stopped"); // the results follow: the JVM's end is what prints them
        }
    }

    private void print() {
        if (report.results().isEmpty()) {
            return;
        }
        out.println("Stopped; this had been measured:");
        out.println(report.table().text());
        try {
            if (folder != null) {
                report.save(folder);
            }
        } catch (IOException failed) {
            out.println("Not saved: " + failed.getMessage());
        }
        out.flush();
    }
}
