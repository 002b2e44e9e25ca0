package io.penstock.loadtest.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The number of voluntary context switches of each thread of a process since the thread began (proc(5), {@code voluntary_ctxt_switches}).
 * In a voluntary context switch, a thread gives up its processor because it must wait.
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
                    .map(line -> Long.valueOf(line.substring(VOLUNTARY.length()).strip()))
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
