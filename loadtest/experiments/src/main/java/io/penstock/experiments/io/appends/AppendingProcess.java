package io.penstock.experiments.io.appends;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The main class of a JVM of its own that appends records and reports the result in one line. It is a process of its own for two
 * reasons: a plain close loses queued records only when the process ends as well, and a pool without a limit may use up the
 * memory of its process.
 */
public final class AppendingProcess {
    /** How the process ends. */
    enum Ending {
        CLOSE_AND_WAIT,
        CLOSE_PLAINLY
    }

    private AppendingProcess() {}

    /** Arguments: way, ending, file, records, records before that to warm up. */
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
        // Ends like a program that has closed its file and assumes that it is complete.
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
