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
 * The number of voluntary context switches of each thread of a process since the thread began (proc(5),
 * {@code voluntary_ctxt_switches}). In such a switch, the thread leaves its processor to wait.
 *
 * @param voluntary by the kernel's number of the thread
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

    /** Empty if the thread has ended meanwhile. */
    private static Optional<Long> ofThread(Path thread) {
        try (Stream<String> lines = Files.lines(thread.resolve("status"))) {
            return lines.filter(line -> line.startsWith(VOLUNTARY))
                    .map(line -> Long.valueOf(line.substring(VOLUNTARY.length()).strip()))
                    .findFirst();
        } catch (IOException | UncheckedIOException ended) {
            return Optional.empty();
        }
    }

    /**
     * The switches of all present threads since the earlier count. Those of threads that have ended meanwhile are not counted.
     */
    public long since(ContextSwitches earlier) {
        return voluntary.entrySet().stream()
                .mapToLong(thread -> thread.getValue() - earlier.voluntary.getOrDefault(thread.getKey(), 0L))
                .sum();
    }
}
