package io.penstock.loadtest.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The kernel's accounting of a process (proc(5)).
 *
 * @param cpuNanos the processor time of all threads of the process so far, in nanoseconds; it includes threads that have ended, and
 *     increases in steps of 10 ms
 * @param residentBytes the resident memory of the process, in bytes
 * @param threads the number of platform threads, including threads of the JVM itself
 */
public record ProcessAccount(long cpuNanos, long residentBytes, int threads) {
    /** USER_HZ is 100 on every Linux that a JVM runs on. */
    private static final long NANOS_PER_TICK = 10_000_000;

    // The indexes of fields, counted from the third field of the file (the state). The second field (the command) can
    // contain blanks, so the fields cannot be counted from the beginning of the line.
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

    /** Returns the resident memory. A process that is ending has no memory, and no line {@code VmRSS}. */
    private static long resident(String status) {
        return status.lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .map(line -> line.replaceAll("[^0-9]", ""))
                .mapToLong(kilobytes -> Long.parseLong(kilobytes) * 1024)
                .findFirst()
                .orElse(0);
    }

    /** The processor time between an earlier reading of the same process and this reading, in seconds. */
    public double cpuSecondsSince(ProcessAccount earlier) {
        return (cpuNanos - earlier.cpuNanos) / 1e9;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%.2f s CPU, %d MB, %d threads", cpuNanos / 1e9, residentBytes >> 20, threads);
    }
}
