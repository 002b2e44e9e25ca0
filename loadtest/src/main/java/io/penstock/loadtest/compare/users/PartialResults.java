package io.penstock.loadtest.compare.users;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Prints and keeps what has been measured if this JVM is stopped before all has been, with Ctrl-C for example.
 *
 * <p>Thread: its own at the JVM's end; all methods the one that measures.
 */
final class PartialResults implements AutoCloseable {
    /** What is done with complete results. */
    @FunctionalInterface
    interface Finish {
        int run() throws IOException;
    }

    private final UsersResults results;
    private final UsersReport report;
    private final PrintWriter out;
    private final @Nullable Path folder;
    private final Thread atEnd = new Thread(this::print, "partial results");

    PartialResults(UsersResults results, UsersReport report, PrintWriter out, @Nullable Path folder) {
        this.results = results;
        this.report = report;
        this.out = out;
        this.folder = folder;
        Runtime.getRuntime().addShutdownHook(atEnd);
    }

    /** The results are complete. */
    int finish(Finish finish) throws IOException {
        close();
        return finish.run();
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atEnd);
        } catch (IllegalStateException stopping) {
            // The JVM has begun to end, and the thread prints: what the one that measures still says is not wanted.
            results.close();
        }
    }

    private void print() {
        results.close();
        if (!results.isEmpty()) {
            out.println("Stopped; this had been measured:");
            out.println(report.text());
            out.flush();
            save();
        }
    }

    private void save() {
        if (folder == null) {
            return;
        }
        try {
            report.saveJson(folder);
        } catch (IOException failed) {
            out.println("Not saved: " + failed);
            out.flush();
        }
    }
}
