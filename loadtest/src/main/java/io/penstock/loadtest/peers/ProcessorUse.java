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
 * The use of this machine's processors so far, as the kernel counts it (proc(5)), in ticks of 10 ms.
 *
 * @param capacity of all processors, idle or not
 * @param busy time that programs and the kernel have used; interrupts are left out, since not every kernel counts them apart
 * @param stolen time that the host of a virtual machine gave to others
 * @param own of this process and all processes that it has started: client and servers, including those that have ended
 * @param kernel of the kernel's own threads, which work for the programs that call it
 * @param others of all other processes that this one can see
 */
public record ProcessorUse(long capacity, long busy, long stolen, long own, long kernel, long others) {
    /** USER_HZ is 100 on every Linux that a JVM runs on. */
    private static final double TICKS_PER_SECOND = 100;

    private static final Path PROC = Path.of("/proc");
    private static final String PID = "[0-9]+";

    // The columns of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. Guests are in user.
    private static final List<Integer> PROGRAMS = List.of(0, 1, 2);
    private static final int STOLEN = 7;
    private static final int COLUMNS = 8;

    /** One process: its parent, and its processor time with that of its children that have ended. */
    private record Line(long parent, boolean ofKernel, long ticks) {
        // Counted from the state, the third field of the file: the second one, the command, may hold blanks.
        private static final int PARENT = 1;
        private static final int FLAGS = 6;
        private static final int FIRST_TIME = 11;
        private static final int LAST_TIME = 14;
        /** The kernel's flag PF_KTHREAD, which marks a thread of the kernel. */
        private static final long KERNEL_THREAD = 0x200000;

        static Line parse(String stat) {
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
            long ticks = 0;
            for (int i = FIRST_TIME; i <= LAST_TIME; i++) {
                ticks += Long.parseLong(fields[i]);
            }
            return new Line(
                    Long.parseLong(fields[PARENT]), (Long.parseLong(fields[FLAGS]) & KERNEL_THREAD) != 0, ticks);
        }
    }

    /** The use so far; empty where there is no {@code /proc}. */
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
            return Map.of(); // then only the totals of the machine are known
        }
        return processes;
    }

    private static boolean descends(long process, long ancestor, Map<Long, Line> processes) {
        long at = process;
        // The walk ends at a parent that has ended since its child was read, and at a reused process number.
        for (int generation = 0; generation < processes.size() && at != ancestor; generation++) {
            Line line = processes.get(at);
            if (line == null) {
                return false;
            }
            at = line.parent();
        }
        return at == ancestor;
    }

    /** Empty if there is no such file, for example because the process has ended meanwhile. */
    private static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    /**
     * The part of this machine that other programs have used since then, from 0 to 1. It is the larger one of two figures: the
     * use of the other processes, and the use of the whole machine without ours. The second figure includes programs in other
     * containers, whose processes cannot be seen. The time that the host of a virtual machine has taken is added. Empty if no
     * time has passed.
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

    /** Processor time of client and servers since then, in seconds. */
    public double ownSecondsSince(ProcessorUse earlier) {
        return (own - earlier.own) / TICKS_PER_SECOND;
    }
}
