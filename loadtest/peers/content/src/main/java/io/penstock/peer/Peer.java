package io.penstock.peer;

import com.sun.management.ThreadMXBean;
import io.penstock.peer.content.Calls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Runs a peer's process. It starts the server, prints {@code READY port name}, and executes the commands on its standard input.
 * The process ends when its standard input ends, so that no server outlives the harness.
 *
 * <pre>
 *   stats    → STATS heap=bytes allocated=bytes callsOpen=n callsMost=n permitLongestMicros=n outdated=n
 *   reset    → the same; callsMost and permitLongestMicros count from now on
 *   collect  → the same after a garbage collection
 *   stop     → the process ends
 * </pre>
 *
 * If the server cannot start, the process ends with status 3, and the last line of the output is the reason.
 *
 * <p>Thread: {@code main} alone.
 */
public final class Peer {
    private static final int WRONG_USAGE = 2;
    private static final int DID_NOT_START = 3;

    /**
     * A server that runs.
     *
     * @param outdated the number of waiting requests that the server refused when it noticed that it was overloaded
     */
    public record Running(String name, int port, LongSupplier outdated) {

        /** A server that does not count outdated requests: it reports 0. */
        public Running(String name, int port) {
            this(name, port, () -> 0);
        }
    }

    /** Starts a server that listens on 127.0.0.1 and has all of the content. */
    @FunctionalInterface
    public interface Starter {
        /** @throws Exception whatever the server throws if it does not start */
        Running start(PeerOptions options) throws Exception;
    }

    private Peer() {}

    /** Never returns. */
    @SuppressWarnings("SystemExitOutsideMain") // Each main method only calls this.
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
                    out.println(stats(running));
                }
                default -> out.println("Unknown command: " + line);
            }
        }
    }

    private static String stats(Running running) {
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        return "STATS heap=" + heap + " allocated=" + allocated() + " callsOpen=" + Calls.open() + " callsMost="
                + Calls.most()
                + " permitLongestMicros=" + Calls.longestPermitMicros() + " outdated="
                + running.outdated().getAsLong();
    }

    /** Bytes of the heap that all live platform threads have allocated since they began; -1 if this JVM does not provide it. */
    private static long allocated() {
        if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)
                || !threads.isThreadAllocatedMemorySupported()) {
            return -1;
        }
        long[] bytes = threads.getThreadAllocatedBytes(threads.getAllThreadIds());
        return Arrays.stream(bytes).filter(ofThread -> ofThread > 0).sum();
    }

    /** Limits both logging systems of the servers to warnings and above. */
    private static void beQuiet() {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "warn");
        Logger.getLogger("").setLevel(Level.WARNING);
    }

    /** The server's message, and its cause. */
    private static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root == failure ? failure.toString() : failure.getMessage() + " (" + root + ")";
    }
}
