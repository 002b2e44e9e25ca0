package io.penstock.loadtest.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The use of this machine's processors since its start, as the kernel reports it (proc(5)). All times are in ticks of 10 ms.
 *
 * @param capacity the total time of all processors, busy or idle
 * @param busy the time that programs and the kernel have used; interrupts are left out, since not every kernel counts them separately
 * @param stolen in a virtual machine, the time that the host gave to other virtual machines
 * @param own the time of this process and of all processes that it has started (client and servers), including processes that have ended
 * @param kernel the time of the kernel's own threads, which work for programs
 * @param others the time of all other processes that this process can see
 */
public record ProcessorUse(long capacity, long busy, long stolen, long own, long kernel, long others) {
    /** USER_HZ is 100 on every Linux that a JVM runs on. */
    private static final double TICKS_PER_SECOND = 100;

    private static final Path PROC = Path.of("/proc");
    private static final String PID = "[0-9]+";

    // The columns of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. The time of guests of a
    // hypervisor is part of user.
    private static final List<Integer> PROGRAMS = List.of(0, 1, 2);
    private static final int STOLEN = 7;
    private static final int COLUMNS = 8;

    /** The data of one process: its parent, and its processor time. This time includes the children of the process that have ended. */
    private record Line(long parent, boolean ofKernel, long ticks) {
        // The indexes in ProcessAccount.fields().
        private static final int PARENT = 1;
        private static final int FLAGS = 6;
        private static final int FIRST_TIME = 11;
        private static final int LAST_TIME = 14;
        /** The kernel's flag PF_KTHREAD, which marks a thread of the kernel. */
        private static final long KERNEL_THREAD = 0x200000;

        static Line parse(String stat) {
            String[] fields = ProcessAccount.fields(stat);
            long ticks = 0;
            for (int i = FIRST_TIME; i <= LAST_TIME; i++) {
                ticks += Long.parseLong(fields[i]);
            }
            return new Line(
                    Long.parseLong(fields[PARENT]), (Long.parseLong(fields[FLAGS]) & KERNEL_THREAD) != 0, ticks);
        }
    }

    /** Reads the present values; empty on systems without {@code /proc}. */
    public static Optional<ProcessorUse> now() {
        return read(PROC, ProcessHandle.current().pid());
    }

    static Optional<ProcessorUse> read(Path proc, long self) {
        Optional<String> machine = text(proc.resolve("stat"));
        if (machine.isEmpty() || !machine.get().startsWith("cpu ")) {
            return Optional.empty();
        }
        long[] columns = Arrays.stream(
                        machine.get().lines().findFirst().orElseThrow().split(" +"))
                .skip(1)
                .limit(COLUMNS)
                .mapToLong(Long::parseLong)
                .toArray();
        Map<Long, Line> processes = processes(proc);
        long own = 0;
        long kernel = 0;
        long others = 0;
        for (Map.Entry<Long, Line> process : processes.entrySet()) {
            long ticks = process.getValue().ticks();
            if (process.getValue().ofKernel()) {
                kernel += ticks;
            } else if (descends(process.getKey(), self, processes)) {
                own += ticks;
            } else {
                others += ticks;
            }
        }
        return Optional.of(new ProcessorUse(
                Arrays.stream(columns).sum(),
                PROGRAMS.stream().mapToLong(column -> columns[column]).sum(),
                columns.length > STOLEN ? columns[STOLEN] : 0,
                own,
                kernel,
                others));
    }

    private static Map<Long, Line> processes(Path proc) {
        Map<Long, Line> processes = new HashMap<>();
        try (Stream<Path> folders = Files.list(proc)) {
            folders.filter(folder -> folder.getFileName().toString().matches(PID))
                    .forEach(folder -> text(folder.resolve("stat"))
                            .ifPresent(stat -> processes.put(
                                    Long.valueOf(folder.getFileName().toString()), Line.parse(stat))));
        } catch (IOException unreadable) {
            // Without this list, only the totals of the machine are known.
            return Map.of();
        }
        return processes;
    }

    private static boolean descends(long process, long ancestor, Map<Long, Line> processes) {
        long at = process;
        // The loop follows the chain of parents. A parent may have ended, and a reused process id may even make the
        // chain a circle, so the number of steps is limited.
        for (int generation = 0; generation < processes.size() && at != ancestor; generation++) {
            Line line = processes.get(at);
            if (line == null) {
                return false;
            }
            at = line.parent();
        }
        return at == ancestor;
    }

    /** Reads a file. Returns empty if the file does not exist, for example because the process has ended. */
    private static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    /**
     * The share of this machine that other programs have used since the earlier reading, from 0 to 1. It is the larger of two values. The
     * first value is the use of all other processes. The second value is the use of the whole machine, minus the use of this process, of
     * its children and of the kernel's own threads. The second value includes programs in other containers, whose processes this process
     * cannot see. Stolen time is added. The result is empty if no time has passed.
     */
    public OptionalDouble othersSince(ProcessorUse earlier) {
        long all = capacity - earlier.capacity;
        if (all <= 0) {
            return OptionalDouble.empty();
        }
        long seen = others - earlier.others;
        long left = busy - earlier.busy - (own - earlier.own) - (kernel - earlier.kernel);
        long used = Math.max(0, Math.max(seen, left)) + stolen - earlier.stolen;
        return OptionalDouble.of(Math.min(1, used / (double) all));
    }

    /** The processor time of client and servers since the earlier reading, in seconds. */
    public double ownSecondsSince(ProcessorUse earlier) {
        return (own - earlier.own) / TICKS_PER_SECOND;
    }
}
