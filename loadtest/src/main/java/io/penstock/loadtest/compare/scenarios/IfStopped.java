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
        } catch (IllegalStateException stopping) {
            // The JVM has begun to end, and the other thread prints: what this one still says is not wanted.
            report.results().close();
        }
    }

    private void print() {
        // What the thread that measures meets with from now on comes of being stopped.
        report.results().close();
        if (report.results().isEmpty()) {
            return;
        }
        out.println("Stopped; this had been measured:");
        out.println(report.text());
        out.flush();
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
