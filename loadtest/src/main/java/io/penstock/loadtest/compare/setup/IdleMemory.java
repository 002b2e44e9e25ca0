package io.penstock.loadtest.compare.setup;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.Kind;
import io.penstock.loadtest.crowd.RunningCrowd;
import io.penstock.loadtest.crowd.Tally;
import io.penstock.loadtest.load.ClosedLoop;
import io.penstock.loadtest.load.ClosedPlan;
import io.penstock.loadtest.peers.ProcessAccount;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;

/**
 * The memory of a server without and with idle connections. Each connection has had one answer, and no request since for {@link #REST}.
 *
 * @param standing the number of idle connections
 * @param heapWithout the bytes of all live objects without the connections
 * @param heapWith the same with the connections
 * @param residentEach the growth of the resident memory of the process, in bytes for each connection. It contains no heap if the JVM has
 *     touched all pages of the heap at its start
 * @param threads the number of platform threads with the connections
 * @param lastTrouble the last error of a connection; empty if there was none
 */
public record IdleMemory(
        int standing, long heapWithout, long heapWith, double residentEach, int threads, String lastTrouble) {
    /** The time before each measurement, so that a server can release what it keeps for a moment for the next request. */
    public static final Duration REST = Duration.ofSeconds(3);

    /** The connections of the warm-up come in this many groups, one after the other. */
    private static final int GROUPS = 10;

    private static final int USERS = 64;
    private static final String HELLO = "/hello";

    /** The live objects of one connection, in bytes. */
    public double heapEach() {
        return (heapWith - heapWithout) / (double) standing;
    }

    /**
     * Warms the server up, measures it, opens all connections, and measures it again.
     *
     * @param warmUp for how long requests are sent before the measurement
     * @param within the time limit for opening all connections
     * @throws IOException if not all connections can be opened
     */
    public static IdleMemory measure(
            ServerProcess server, ClientLoop loop, int connections, Duration warmUp, Duration within)
            throws IOException, InterruptedException {
        Target hello = server.target(HELLO);
        Kind idle = new Kind.Idle(hello);
        warmUp(loop, connections, hello, warmUp, within);
        Thread.sleep(REST.toMillis());
        long heapBefore = server.collectTwice().heapBytes();
        long residentBefore = server.account().residentBytes();
        try (RunningCrowd crowd = RunningCrowd.gather(loop, CrowdPlan.of(connections, idle), within)) {
            Thread.sleep(REST.toMillis());
            long heap = server.collectTwice().heapBytes();
            ProcessAccount account = server.account();
            Tally tally = crowd.tally();
            return new IdleMemory(
                    tally.standing(),
                    heapBefore,
                    heap,
                    (account.residentBytes() - residentBefore) / (double) tally.standing(),
                    account.threads(),
                    tally.lastTrouble());
        }
    }

    /**
     * Sends requests, and then opens and closes as many connections as will be idle. Without a warm-up, the JVM loads classes and compiles methods
     * of the server while connections are opened. It needs 20 to 30 MB of memory for this once, which would be counted as 2 to 3 KB of each
     * of 10,000 connections. Only a tenth of the connections is open at a time, so that memory which a server keeps after it had many
     * connections is counted.
     */
    private static void warmUp(ClientLoop loop, int connections, Target hello, Duration time, Duration within)
            throws IOException, InterruptedException {
        new ClosedLoop(loop, ClosedPlan.of(Request.get(hello), Math.min(USERS, connections), time)).await();
        for (int i = 0; i < GROUPS; i++) {
            int size = Math.max(1, connections / GROUPS);
            RunningCrowd.gather(loop, CrowdPlan.of(size, new Kind.Idle(hello)), within)
                    .disperse();
        }
    }
}
