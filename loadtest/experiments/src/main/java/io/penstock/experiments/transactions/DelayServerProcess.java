package io.penstock.experiments.transactions;

import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.peers.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The process in which the {@link DelayServer} runs.
 *
 * <p>Thread: the thread that has started the process. Owns: the process, which ends at {@link #close}, or when the process of this JVM
 * ends.
 */
final class DelayServerProcess implements AutoCloseable {
    private static final long SECONDS_TO_START = 20;
    private static final Duration TO_END = Duration.ofSeconds(5);
    private static final List<String> OPTIONS = List.of("-Xmx128m", "-XX:+UseSerialGC");

    private final Process process;
    private final int port;

    private DelayServerProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** @throws IOException if the process is not ready within {@value #SECONDS_TO_START} seconds */
    static DelayServerProcess start(Latencies latencies, int answerBytes) throws IOException, InterruptedException {
        List<String> arguments = List.of(
                latencies.median().toString(),
                latencies.p99().toString(),
                Long.toString(latencies.seed()),
                Integer.toString(answerBytes));
        Process process = ChildJvm.withOwnClasses(OPTIONS, DelayServerMain.class, arguments)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            return new DelayServerProcess(process, portOf(process));
        } catch (IOException | InterruptedException failed) {
            process.destroyForcibly();
            throw failed;
        }
    }

    private static int portOf(Process process) throws IOException, InterruptedException {
        try {
            String line =
                    CompletableFuture.supplyAsync(() -> firstLine(process)).get(SECONDS_TO_START, TimeUnit.SECONDS);
            if (line.startsWith("READY ")) {
                return Integer.parseInt(line.substring("READY ".length()));
            }
            throw new IOException("The delay server did not start; see its output above");
        } catch (TimeoutException late) {
            throw new IOException("The delay server was not ready within " + SECONDS_TO_START + " s", late);
        } catch (ExecutionException failed) {
            throw new IOException("The delay server's output could not be read: " + failed.getCause(), failed);
        }
    }

    private static String firstLine(Process process) {
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        try {
            String line = output.readLine();
            return line == null ? "" : line;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    Target call(long number) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return new Target(address, address.getAddress().getHostAddress() + ":" + port, DelayedCall.path(number));
    }

    /** A future that completes when the process has ended. The process ends before {@link #close} only if it fails. */
    CompletableFuture<Process> ended() {
        return process.onExit();
    }

    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    @Override
    public void close() {
        try {
            // The process ends at the end of its input.
            process.getOutputStream().close();
            ChildJvm.awaitEnd(process, TO_END);
        } catch (IOException failed) {
            process.destroyForcibly();
            throw new UncheckedIOException(failed);
        }
    }
}
