package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.compare.setup.IdleMemory;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Measures the memory of an idle connection.
 *
 * @param connections the number of idle connections
 * @param warmUp the time for which requests are sent first
 * @param toGather the time limit for making all connections
 * @param tls whether the connections are encrypted; if so, Penstock is measured without TLS, too
 */
record IdleScenario(int connections, Duration warmUp, Duration toGather, OverTls tls) implements Scenario {
    private static final Measure STANDING = Measure.whole("connections", "idle connections");
    private static final Measure WITHOUT = Measure.tenths("heapWithoutMegabytes", "heap without, MB");
    private static final Measure WITH = Measure.tenths("heapWithMegabytes", "heap with, MB");
    private static final Measure HEAP_EACH = Measure.whole("heapBytesEach", "heap per connection, bytes");
    private static final Measure RESIDENT_EACH =
            Measure.whole("residentBytesEach", "resident outside the heap per connection, bytes");
    private static final Measure THREADS = Measure.whole("threads", "threads");
    private static final Measure ENGINE = Measure.whole("engineBytes", "an engine alone, bytes");
    private static final Measure BESIDE =
            Measure.whole("heapBytesBesideEngine", "heap per connection minus engine, bytes");
    private static final int FEWEST_ENGINES = 500;

    @Override
    public String name() {
        return tls.name("idle");
    }

    @Override
    public String title() {
        return tls.title("Memory of an idle connection");
    }

    @Override
    public String explanation() {
        return String.format(
                Locale.ROOT,
                "%,d connections have each had one answer, stay open, and have had no request for %d s. First the server is warmed up: requests for"
                        + " %d s, then as many connections as in the measurement, of which a tenth is open at a time. *Heap*"
                        + " is all live objects after two full collections, without and with the connections. *Resident* is"
                        + " the memory of the process that the kernel reports (`VmRSS`). The differences are divided by the"
                        + " number of connections. All pages of the heap are resident from the start, so resident memory"
                        + " grows only by memory outside the heap: buffers, stacks, compiled code. Memory of the kernel for"
                        + " sockets is not included.%s",
                connections,
                IdleMemory.REST.toSeconds(),
                warmUp.toSeconds(),
                tls.isOn()
                        ? " *An engine alone* is a server's engine of the JDK, after a full handshake of TLS"
                                + " 1.3 and some data in memory. It is measured in the same way, in a JVM of its own."
                                + " The bar for Penstock is 2,048 bytes more than the engine."
                        : "");
    }

    @Override
    public String partTitle() {
        return tls.isOn() ? "transport" : "";
    }

    @Override
    public List<Measure> columns() {
        return tls.isOn()
                ? List.of(STANDING, WITHOUT, WITH, HEAP_EACH, ENGINE, BESIDE, RESIDENT_EACH, THREADS)
                : List.of(STANDING, WITHOUT, WITH, HEAP_EACH, RESIDENT_EACH, THREADS);
    }

    /**
     * The option with which the JVM touches all pages of the heap at its start. Without this option, the JVM would touch new pages during
     * the measurement, and these pages would be counted as memory of the connections.
     */
    @Override
    public List<String> jvmOptions() {
        return List.of("-XX:+AlwaysPreTouch");
    }

    @Override
    public void measure(Server server, Launch launch, Recorder recorder) throws IOException, InterruptedException {
        if (!tls.isOn()) {
            measure(launch, Transport.PLAIN, recorder, recorder.part(""));
            return;
        }
        Results.Round encrypted = recorder.part("TLS");
        double each = measure(launch, Transport.TLS, recorder, encrypted);
        long engine = EngineHeap.bytes(Math.max(FEWEST_ENGINES, connections));
        encrypted.put(ENGINE, engine).put(BESIDE, each - engine);
        if (server.isPenstock()) {
            measure(launch, Transport.PLAIN, recorder, recorder.part("without TLS"));
        }
    }

    /** Measures the heap use of one connection, in bytes. */
    private double measure(Launch launch, Transport transport, Recorder recorder, Results.Round round)
            throws IOException, InterruptedException {
        try (Encryption encryption = Encryption.of(transport);
                ServerProcess process = launch.start(encryption::server);
                ClientLoop loop = ClientLoop.start(
                        encryption.client(ClientSettings.defaults().withMaxConnections(connections)))) {
            recorder.started(process);
            IdleMemory memory = IdleMemory.measure(process, loop, connections, warmUp, toGather);
            round.put(STANDING, memory.standing())
                    .put(WITHOUT, memory.heapWithout() / 1e6)
                    .put(WITH, memory.heapWith() / 1e6)
                    .put(THREADS, memory.threads())
                    .put(HEAP_EACH, memory.heapEach())
                    .put(RESIDENT_EACH, memory.residentEach());
            return memory.heapEach();
        }
    }
}
