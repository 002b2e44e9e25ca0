package io.penstock.loadtest.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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

    // The indexes in fields().
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
        String[] fields = fields(stat);
        long ticks = Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME]);
        return new ProcessAccount(ticks * NANOS_PER_TICK, resident(status), Integer.parseInt(fields[NUM_THREADS]));
    }

    /**
     * The fields of the line of a process, from the third one (the state). The second field (the command) can contain blanks, so fields
     * cannot be counted from the beginning of the line.
     */
    static String[] fields(String stat) {
        return stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
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

    /**
     * The number of voluntary context switches of each thread of a process since the thread began (proc(5), {@code
     * voluntary_ctxt_switches}). In a voluntary context switch, a thread gives up its processor because it must wait.
     *
     * @param voluntary a map from the kernel's id of each thread to its number of voluntary context switches
     */
    public record ContextSwitches(Map<Long, Long> voluntary) {
        private static final String VOLUNTARY = "voluntary_ctxt_switches:";

        public ContextSwitches {
            voluntary = Map.copyOf(voluntary);
        }

        /** @throws ServerFailure if there is no such process, or no {@code /proc} */
        public static ContextSwitches of(long pid) throws ServerFailure {
            try {
                return read(Path.of("/proc", Long.toString(pid), "task"));
            } catch (IOException none) {
                throw new ServerFailure(
                        "No context switches of process " + pid
                                + ": it has ended, or this system is not Linux and has no /proc",
                        none);
            }
        }

        static ContextSwitches read(Path tasks) throws IOException {
            Map<Long, Long> switches = new HashMap<>();
            try (Stream<Path> threads = Files.list(tasks)) {
                threads.forEach(thread -> ofThread(thread)
                        .ifPresent(count ->
                                switches.put(Long.valueOf(thread.getFileName().toString()), count)));
            }
            return new ContextSwitches(switches);
        }

        /** Reads the number of one thread. Returns empty if the thread has ended. */
        private static Optional<Long> ofThread(Path thread) {
            try (Stream<String> lines = Files.lines(thread.resolve("status"))) {
                return lines.filter(line -> line.startsWith(VOLUNTARY))
                        .map(line ->
                                Long.valueOf(line.substring(VOLUNTARY.length()).strip()))
                        .findFirst();
            } catch (IOException | UncheckedIOException ended) {
                return Optional.empty();
            }
        }

        /** The number of context switches of all present threads since the earlier reading. Threads that have ended are not counted. */
        public long since(ContextSwitches earlier) {
            return voluntary.entrySet().stream()
                    .mapToLong(thread -> thread.getValue() - earlier.voluntary.getOrDefault(thread.getKey(), 0L))
                    .sum();
        }
    }

    /**
     * The kernel's resources for all TCP sockets of this machine (proc(5), {@code /proc/net/sockstat}). For a loopback connection, both
     * ends are counted.
     *
     * @param sockets the number of sockets in use
     * @param memoryBytes the memory that the kernel has allocated for the buffers of these sockets, in bytes
     */
    public record KernelSockets(long sockets, long memoryBytes) {
        /** A line such as {@code TCP: inuse 4 orphan 0 tw 3 alloc 5 mem 2}. The unit of {@code mem} is a page of memory. */
        private static final Pattern TCP = Pattern.compile("(?m)^TCP: inuse (\\d+) .*mem (\\d+)$");

        private static final long PAGE = pageBytes();

        /** @throws ServerFailure if the file {@code /proc/net/sockstat} cannot be read */
        public static KernelSockets now() throws ServerFailure {
            try {
                return parse(Files.readString(Path.of("/proc/net/sockstat")), PAGE);
            } catch (IOException failed) {
                throw new ServerFailure(
                        "Cannot read the kernel's memory for sockets, which only Linux reports: " + failed.getMessage(),
                        failed);
            }
        }

        static KernelSockets parse(String sockstat, long page) throws IOException {
            Matcher tcp = TCP.matcher(sockstat);
            if (!tcp.find()) {
                throw new IOException("no line with inuse and mem of TCP");
            }
            return new KernelSockets(Long.parseLong(tcp.group(1)), Long.parseLong(tcp.group(2)) * page);
        }

        /**
         * The size of a page of memory, in bytes. Java has no method for this. The kernel reports the size for each mapping of this process
         * in {@code smaps}.
         */
        private static long pageBytes() {
            try (Stream<String> lines = Files.lines(Path.of("/proc/self/smaps"))) {
                return lines.filter(line -> line.startsWith("KernelPageSize:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                        .findFirst()
                        .orElse(4096);
            } catch (IOException unknown) {
                // On systems without /proc, this value is not used.
                return 4096;
            }
        }
    }
}
