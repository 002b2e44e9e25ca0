package io.penstock.loadtest.compare.setup;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Prints and saves the measurements so far if this JVM is stopped before the end, for example by Ctrl-C.
 *
 * <p>Thread: the measuring thread calls the methods. When the JVM must end, it runs this object's shutdown hook on another thread, which
 * prints.
 */
public final class PartialResults implements AutoCloseable {
    /** The measurements so far. Thread: any. */
    public interface Report {
        boolean isEmpty();

        /** Accepts no more results. Later failures are caused by the stop of the program, so they must not be recorded. */
        void close();

        String text();

        /** Saves the measurements so far. */
        void savePartial(Path folder) throws IOException;
    }

    private final Report report;
    private final PrintWriter out;
    private final @Nullable Path folder;
    private final Thread atEnd = new Thread(this::print, "partial results");

    /** @param folder the folder in which results are saved; null if they are only printed */
    public PartialResults(Report report, PrintWriter out, @Nullable Path folder) {
        this.report = report;
        this.out = out;
        this.folder = folder;
        Runtime.getRuntime().addShutdownHook(atEnd);
    }

    /** Removes the shutdown hook: the measurement is complete, or the command itself reports its failure. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atEnd);
        } catch (IllegalStateException stopping) {
            // The JVM has begun to end, and the shutdown hook prints the results. This thread must not print them a
            // second time.
            report.close();
        }
    }

    private void print() {
        report.close();
        if (report.isEmpty()) {
            return;
        }
        out.println("Stopped. Measured until then:");
        out.println(report.text());
        out.flush();
        try {
            if (folder != null) {
                report.savePartial(folder);
            }
        } catch (IOException failed) {
            out.println("Not saved: " + failed.getMessage());
        }
        out.flush();
    }
}
