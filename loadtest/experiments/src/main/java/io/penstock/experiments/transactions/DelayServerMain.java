package io.penstock.experiments.transactions;

import io.penstock.time.Clock;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/**
 * The slow third party in a process of its own, so that its processor time is not counted for a client. It prints
 * {@code READY port} and ends with its standard input, so that it never outlives the process that has started it.
 */
public final class DelayServerMain {
    private static final long LONGEST_GOODBYE_MILLIS = 10_000;

    private DelayServerMain() {}

    /** Arguments: median and p99 as ISO-8601 durations, seed, bytes of an answer. */
    public static void main(String[] args) throws IOException {
        Latencies latencies = new Latencies(Duration.parse(args[0]), Duration.parse(args[1]), Long.parseLong(args[2]));
        DelayServer server = new DelayServer(0, latencies::nanos, Integer.parseInt(args[3]), Clock.SYSTEM);
        Thread parent = new Thread(() -> awaitEndOfInput(server), "end-of-input");
        parent.setDaemon(true);
        parent.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> outlast(parent), "shutdown"));
        System.out.println("READY " + server.port());
        server.run();
    }

    private static void awaitEndOfInput(DelayServer server) {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException gone) {
            System.err.println("The standard input has failed: " + gone.getMessage());
        } finally {
            server.close();
        }
    }

    /**
     * Ctrl-C reaches this process, too. The process delays its own end, so that it answers until the client has its
     * counts.
     */
    private static void outlast(Thread parent) {
        try {
            parent.join(LONGEST_GOODBYE_MILLIS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
