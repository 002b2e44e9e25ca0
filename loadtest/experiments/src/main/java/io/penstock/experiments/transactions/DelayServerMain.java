package io.penstock.experiments.transactions;

import io.penstock.time.Clock;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/**
 * The main class of the process in which the {@link DelayServer} runs. In a separate process, the server's processor time is not counted
 * for a client. The process prints {@code READY port} when it is ready. It ends at the end of its standard input, for example when the
 * process that started it has ended.
 */
public final class DelayServerMain {
    private static final long LONGEST_GOODBYE_MILLIS = 10_000;

    private DelayServerMain() {}

    /**
     * Runs the server. The arguments are: the median and the p99 of the latency as ISO 8601 durations, the seed, and the size of an answer
     * in bytes.
     */
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
     * Delays the end of this process. Ctrl-C also ends this process, but the process must still answer calls until the client has stored
     * its counts.
     */
    private static void outlast(Thread parent) {
        try {
            parent.join(LONGEST_GOODBYE_MILLIS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
