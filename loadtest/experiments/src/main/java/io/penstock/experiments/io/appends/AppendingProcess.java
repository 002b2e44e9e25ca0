package io.penstock.experiments.io.appends;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The main class of a separate JVM that appends records, and prints the result in one line. A separate process is needed for two reasons.
 * First, a close that does not wait ({@link Ending#CLOSE_PLAINLY}) loses queued records only when the process ends. Second, a thread pool
 * without a limit can use all memory of its process.
 */
public final class AppendingProcess {
    /** The way in which the process closes the file before it ends. */
    enum Ending {
        CLOSE_AND_WAIT,
        CLOSE_PLAINLY
    }

    private AppendingProcess() {}

    /**
     * Appends records. The arguments are: the {@link AppendWay}, the {@link Ending}, the file, the number of records, and the number of
     * warm-up records before them.
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        AppendWay way = AppendWay.valueOf(args[0]);
        Ending ending = Ending.valueOf(args[1]);
        Path file = Path.of(args[2]);
        long records = Long.parseLong(args[3]);
        int threadsBefore = ManagementFactory.getThreadMXBean().getThreadCount();
        appendAll(way, file, Long.parseLong(args[4])).closeAndWait();

        long start = System.nanoTime();
        Appender appender = appendAll(way, file, records);
        if (ending == Ending.CLOSE_AND_WAIT) {
            appender.closeAndWait();
        } else {
            appender.closePlainly();
        }
        long nanos = System.nanoTime() - start;
        int threads = ManagementFactory.getThreadMXBean().getPeakThreadCount() - threadsBefore;
        System.out.println(String.format(
                Locale.ROOT, "%s %d %d %d", AppendOutcome.MARK, appender.accepted(), nanos, Math.max(0, threads)));
        // Ends the process at once, like a program that has closed its file and assumes that all records are written.
        System.exit(0);
    }

    private static Appender appendAll(AppendWay way, Path file, long records) throws IOException {
        Appender appender = way.open(file);
        while (appender.accepted() < records) {
            appender.append();
        }
        return appender;
    }
}
