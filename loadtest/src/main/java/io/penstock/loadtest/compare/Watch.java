package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.peers.ProcessAccount;
import io.penstock.loadtest.peers.ProcessAccount.KernelSockets;
import io.penstock.loadtest.peers.ServerProcess;
import io.penstock.loadtest.peers.ServerProcess.Stats;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * Reads measurements of a server repeatedly while the server is under load, and keeps the maximum of each measurement.
 *
 * <p>Thread: the thread that runs the scenario.
 */
final class Watch {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

    private final ServerProcess process;
    private long callsOpen;
    private long permitMicros;
    private long residentBytes;
    private long kernelBytes;
    private long outdated;
    private int threads;

    Watch(ServerProcess process) {
        this.process = process;
    }

    /**
     * Reads measurements of the server until the load has ended.
     *
     * @throws IOException if the server's process ends, or the load does not end in time
     */
    <T> T until(CompletableFuture<T> load, Duration patience) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Optional<T> outcome = Optional.empty();
        while (outcome.isEmpty() && System.nanoTime() - start < patience.toNanos()) {
            look();
            outcome = outcomeSoon(load);
        }
        look();
        return outcome.orElseThrow(
                () -> new IOException("the load has not ended after " + patience.toSeconds() + " s"));
    }

    private static <T> Optional<T> outcomeSoon(CompletableFuture<T> load) throws IOException, InterruptedException {
        try {
            return Optional.of(ClientLoop.await(load, BETWEEN_LOOKS));
        } catch (TimeoutException notYet) {
            return Optional.empty();
        }
    }

    /** Waits until no call of {@code service} is running. Returns false if this takes too long. */
    boolean untilQuiet(Duration patience) throws IOException, InterruptedException {
        long start = System.nanoTime();
        boolean quiet = process.stats().callsOpen() == 0;
        while (!quiet && System.nanoTime() - start < patience.toNanos()) {
            Thread.sleep(BETWEEN_LOOKS.toMillis());
            quiet = process.stats().callsOpen() == 0;
        }
        return quiet;
    }

    void look() throws IOException, InterruptedException {
        Stats stats = process.stats();
        ProcessAccount account = process.account();
        callsOpen = Math.max(callsOpen, stats.callsMost());
        outdated = stats.outdated();
        permitMicros = Math.max(permitMicros, stats.permitLongestMicros());
        kernelBytes = Math.max(kernelBytes, KernelSockets.now().memoryBytes());
        residentBytes = Math.max(residentBytes, account.residentBytes());
        threads = Math.max(threads, account.threads());
    }

    /** Stores the largest values that were read. The memory of the kernel includes the sockets of the clients. */
    void put(Figures figures) {
        figures.put(Figure.CALLS, callsOpen)
                .put(Figure.THREADS, threads)
                .put(Figure.RESIDENT, residentBytes / 1e6)
                .put(Figure.KERNEL, kernelBytes / 1e6);
    }

    /** The longest time for which a call of the servlet {@code /pooled} held one of its permits, in microseconds. */
    long permitMicros() {
        return permitMicros;
    }

    /** The number of waiting requests that the server refused when it detected its overload. */
    long outdated() {
        return outdated;
    }
}
