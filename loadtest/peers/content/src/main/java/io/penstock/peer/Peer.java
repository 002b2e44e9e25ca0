package io.penstock.peer;

import com.sun.management.ThreadMXBean;
import io.penstock.peer.content.Calls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Runs the process of a peer, which is one of the compared servers. The process starts the server, prints {@code READY port name}, and
 * executes the commands that it reads from its standard input. It ends at the end of its standard input, so it does not continue after the
 * load test has ended.
 *
 * <pre>
 *   stats    → STATS heap=bytes allocated=bytes callsOpen=n callsMost=n permitLongestMicros=n outdated=n
 *   reset    → the same; callsMost and permitLongestMicros count from now on
 *   collect  → the same after a garbage collection; heap is then the bytes of all live objects
 *   stop     → the process ends
 * </pre>
 *
 * If the server cannot start, the process ends with status 3, and the last line of the output is the reason.
 *
 * <p>Thread: only the thread {@code main}.
 */
public final class Peer {
    private static final int WRONG_USAGE = 2;
    private static final int DID_NOT_START = 3;

    /**
     * A running server.
     *
     * @param name the name and version of the server
     * @param port the port on which the server listens
     * @param outdated a function that returns the number of waiting requests that the server refused when it detected its overload
     */
    public record Running(String name, int port, LongSupplier outdated) {

        /** Creates an object for a server that does not count outdated requests. It reports 0. */
        public Running(String name, int port) {
            this(name, port, () -> 0);
        }
    }

    /** Starts a server that listens on 127.0.0.1 and serves the common content. */
    @FunctionalInterface
    public interface Starter {
        /** @throws Exception if the server cannot be started; each server has its own exceptions */
        Running start(PeerOptions options) throws Exception;
    }

    private Peer() {}

    /** Runs the process. This method does not return. */
    @SuppressWarnings("SystemExitOutsideMain") // Each main method only calls this method.
    public static void main(String[] args, Starter starter) {
        beQuiet();
        PeerOptions options;
        try {
            options = PeerOptions.parse(args);
        } catch (IllegalArgumentException wrong) {
            System.out.println(wrong.getMessage());
            System.exit(WRONG_USAGE);
            return;
        }
        try {
            Running running = starter.start(options);
            System.out.println("READY " + running.port() + " " + running.name());
            obey(running, System.out);
            System.exit(0);
        } catch (Exception failed) {
            System.out.println("Could not start: " + reason(failed));
            System.exit(DID_NOT_START);
        }
    }

    private static void obey(Running running, PrintStream out) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null && !line.equals("stop"); line = in.readLine()) {
            switch (line) {
                case "stats" -> out.println(stats(running));
                case "reset" -> {
                    Calls.reset();
                    out.println(stats(running));
                }
                case "collect" -> {
                    System.gc();
                    out.println(stats(running, live()));
                }
                default -> out.println("Unknown command: " + line);
            }
        }
    }

    private static String stats(Running running) {
        return stats(
                running,
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }

    /**
     * The bytes of all objects that the last garbage collection has found to be live. The usage of the heap after a collection is larger:
     * it also contains the allocation buffers that threads have taken since then, which can be megabytes.
     */
    static long live() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getCollectionUsage)
                .filter(Objects::nonNull)
                .mapToLong(MemoryUsage::getUsed)
                .sum();
    }

    private static String stats(Running running, long heap) {
        return "STATS heap=" + heap + " allocated=" + allocated() + " callsOpen=" + Calls.open() + " callsMost="
                + Calls.most()
                + " permitLongestMicros=" + Calls.longestPermitMicros() + " outdated="
                + running.outdated().getAsLong();
    }

    /**
     * The number of heap bytes that all live platform threads have allocated since their start; -1 if this JVM does not report this number.
     */
    private static long allocated() {
        if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)
                || !threads.isThreadAllocatedMemorySupported()) {
            return -1;
        }
        long[] bytes = threads.getThreadAllocatedBytes(threads.getAllThreadIds());
        return Arrays.stream(bytes).filter(ofThread -> ofThread > 0).sum();
    }

    /** Limits the output of both logging systems that servers use to warnings and errors. */
    private static void beQuiet() {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "warn");
        Logger.getLogger("").setLevel(Level.WARNING);
    }

    /** Returns the message of the exception and of its root cause. */
    private static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root == failure ? failure.toString() : failure.getMessage() + " (" + root + ")";
    }
}
