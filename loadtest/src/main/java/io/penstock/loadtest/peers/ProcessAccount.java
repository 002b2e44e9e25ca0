package io.penstock.loadtest.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The kernel's accounting of a process (proc(5)).
 *
 * @param cpuNanos processor time of all its threads so far, including those that have ended, in steps of 10 ms
 * @param residentBytes memory that it holds in RAM
 * @param threads platform threads, including those of the JVM itself
 */
public record ProcessAccount(long cpuNanos, long residentBytes, int threads) {
    /** USER_HZ is 100 on every Linux that a JVM runs on. */
    private static final long NANOS_PER_TICK = 10_000_000;

    // Counted from the state, the third field of the file: the second one, the command, may hold blanks.
    private static final int UTIME = 11;
    private static final int STIME = 12;
    private static final int NUM_THREADS = 17;

    /** @throws ServerFailure if there is no such process, or no {@code /proc} */
    public static ProcessAccount of(long pid) throws ServerFailure {
        Path folder = Path.of("/proc", Long.toString(pid));
        try {
            return parse(Files.readString(folder.resolve("stat")), Files.readString(folder.resolve("status")));
        } catch (NoSuchFileException none) {
            throw new ServerFailure(
                    "No data of process " + pid + ": it has ended, or this system is not Linux and has no /proc", none);
        } catch (IOException failed) {
            throw new ServerFailure("Cannot read the data of process " + pid + ": " + failed.getMessage(), failed);
        }
    }

    static ProcessAccount parse(String stat, String status) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
        long ticks = Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME]);
        return new ProcessAccount(ticks * NANOS_PER_TICK, resident(status), Integer.parseInt(fields[NUM_THREADS]));
    }

    /** A process that is ending has no memory, and no such line. */
    private static long resident(String status) {
        return status.lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .map(line -> line.replaceAll("[^0-9]", ""))
                .mapToLong(kilobytes -> Long.parseLong(kilobytes) * 1024)
                .findFirst()
                .orElse(0);
    }

    /** Processor time between two accounts of one process, in seconds. */
    public double cpuSecondsSince(ProcessAccount earlier) {
        return (cpuNanos - earlier.cpuNanos) / 1e9;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%.2f s CPU, %d MB, %d threads", cpuNanos / 1e9, residentBytes >> 20, threads);
    }
}
