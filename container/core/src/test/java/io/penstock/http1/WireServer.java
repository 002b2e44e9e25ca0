package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.PromptWaits;
import io.penstock.limits.Counters;
import io.penstock.limits.ListenAddress.BindAddress;
import io.penstock.limits.ServerConfig;
import io.penstock.memory.Rounds;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.LinkLayer;
import io.penstock.reactor.Reactor;
import io.penstock.reactor.RecordLink;
import io.penstock.server.Listener;
import io.penstock.server.Transport;
import io.penstock.spool.SimulatedDisk;
import io.penstock.time.Clock;
import io.penstock.time.ManualClock;
import io.penstock.tls.TestIdentity;
import io.penstock.work.ManualScheduler;
import io.penstock.work.Scheduler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * A real server on a real port, without the Servlet layer, for tests that send bytes. {@link #close} fails the test if the server has not
 * released a buffer, a byte on disk, a file descriptor or a thread.
 */
public final class WireServer implements AutoCloseable {
    public final Transport transport;
    public final RecordedEvents events;
    public final Counters counters = new Counters();
    private final LeakedResources residue = new LeakedResources();
    private final List<RawClient> clients = new CopyOnWriteArrayList<>();
    private final Duration patience;

    private final Clock clock;
    private final RawClient.Layer layer;

    /** The buffers of the record layer. They are counted separately from the buffers of the server. */
    private final SegmentPool recordPool = new SegmentPool(16 * 1024, 64 << 20);

    public WireServer(ServerConfig config, Site site) throws IOException {
        this(config, site, Duration.ofSeconds(10), new RecordedEvents());
    }

    /** Makes a server with a clock that only {@link #pass} advances. The timeouts for clients use this clock. */
    public WireServer(ServerConfig config, Site site, ManualClock clock) throws IOException {
        this(
                config,
                clock,
                RawClient.Layer.usual(),
                site,
                Duration.ofSeconds(10),
                new RecordedEvents(),
                WireServer::oneListener);
    }

    public WireServer(WireConfig config, Site site, RecordedEvents events) throws IOException {
        this(config, site, events, WireServer::oneListener);
    }

    /** @param patience the longest time for which {@link #close} waits for running requests */
    public WireServer(ServerConfig config, Site site, Duration patience, RecordedEvents events) throws IOException {
        this(config, Clock.SYSTEM, RawClient.Layer.usual(), site, patience, events, WireServer::oneListener);
    }

    private WireServer(
            ServerConfig config,
            Clock clock,
            RawClient.Layer layer,
            Site site,
            Duration patience,
            RecordedEvents events,
            Function<Listener.LayerMaker, List<Listener>> listeners)
            throws IOException {
        this.events = events;
        this.patience = patience;
        this.clock = clock;
        this.layer = layer;
        this.transport = new Transport(
                config,
                site,
                site,
                events,
                counters,
                Transport.Options.alone()
                        .with(clock, scheduler(clock))
                        .with(listeners.apply(layerOf(layer)))
                        .withBulkheads(site.bulkheads()));
        transport.start();
    }

    private Listener.LayerMaker layerOf(RawClient.Layer wanted) {
        return switch (wanted) {
            case NONE -> (server, tls) -> LinkLayer.NONE;
            case RECORDS -> (server, tls) -> RecordLink.layer(recordPool);
            case TLS ->
                Listener.tls(new InetSocketAddress(0), TestIdentity.engines()).layer();
        };
    }

    /**
     * @param listeners the function that makes the listeners over the layer of the configuration; {@link #connect} uses the first listener
     */
    public WireServer(
            WireConfig config,
            Site site,
            RecordedEvents events,
            Function<Listener.LayerMaker, List<Listener>> listeners)
            throws IOException {
        this(config.toConfig(), config.clock(), config.layer(), site, Duration.ofSeconds(10), events, listeners);
    }

    private static List<Listener> oneListener(Listener.LayerMaker layer) {
        return List.of(listenerOver(layer));
    }

    /** Makes a listener for HTTP/1.1 at a free port. */
    public static Listener listener(LinkLayer layer) {
        return listenerOver((server, tls) -> layer);
    }

    /** Makes a listener for HTTP/1.1 at a free port, over the layer that {@code layer} makes. */
    public static Listener listenerOver(Listener.LayerMaker layer) {
        return new Listener(new BindAddress.Network("127.0.0.1", 0), layer, List.of(Http1Protocol::new));
    }

    /** @param disk the disk for large bodies */
    public WireServer(WireConfig config, Site site, SimulatedDisk disk) throws IOException {
        this.events = new RecordedEvents();
        this.patience = Duration.ofSeconds(10);
        this.clock = Clock.SYSTEM;
        // Tests of writes to disk count the bytes in memory. A layer would change these numbers.
        this.layer = RawClient.Layer.NONE;
        ServerConfig made = config.toConfig();
        this.transport = new Transport(
                made,
                site,
                site,
                events,
                counters,
                Transport.Options.alone()
                        .with(disk.spool(made.spool(), counters))
                        .withBulkheads(site.bulkheads()));
        transport.start();
    }

    private static Scheduler scheduler(Clock clock) {
        return clock instanceof ManualClock byHand
                ? new ManualScheduler(byHand)
                : new Scheduler("", Rounds.unwatched());
    }

    public static WireServer echo() throws IOException {
        return echo(new WireConfig());
    }

    public static WireServer echo(WireConfig config) throws IOException {
        return with(config, new Site());
    }

    public static WireServer with(WireConfig config, Site site) throws IOException {
        return new WireServer(config, site, new RecordedEvents());
    }

    public int port() {
        return port(0);
    }

    /** Returns the port of the listener with this index. */
    public int port(int listener) {
        return ((InetSocketAddress) transport.addresses().get(listener)).getPort();
    }

    public RawClient connect() throws IOException {
        return register(new RawClient(port(), 0, layer));
    }

    /** Connects a client with a small receive buffer. So bytes that the client does not read stay in the server. */
    public RawClient connectWithReceiveBuffer(int bytes) throws IOException {
        return register(new RawClient(port(), bytes, layer));
    }

    /** Connects a client that requests this application protocol from the layer, as ALPN does. */
    public RawClient connect(String protocol) throws IOException {
        return register(new RawClient(port(), 0, layer, protocol));
    }

    /** Connects a client to the listener with this index. The client does not use the layer of the listener. */
    public RawClient connectWithoutLayer(int listener) throws IOException {
        return register(new RawClient(port(listener)));
    }

    private RawClient register(RawClient client) {
        clients.add(client);
        return client;
    }

    /**
     * Waits until the reactor has read all bytes that were sent before this call. The method sends requests that the reactor refuses
     * without a worker. A server with only one reactor has then read the bytes of all other connections. When the method returns, the
     * connections of these requests are closed, so these connections cannot cause a timeout later.
     */
    public void settle() throws IOException {
        for (int i = 0; i < 2; i++) {
            RawClient other = connect();
            try (other) {
                other.send("GET /refused HTTP/1.1\r\nHost: settle\r\nConnection: close\r\n\r\n");
                assertEquals(404, other.answer().status());
            }
            events.awaitClosed(other);
        }
    }

    /**
     * Advances the clock of a server with {@link WireConfig#timeByHand}. First the server reads all bytes that were sent before this call.
     * Then the clock advances, and the server runs all actions that are due.
     */
    public void pass(Duration time) throws IOException {
        settle();
        ((ManualClock) clock).pass(time);
        transport.reactors().forEach(this::awaitNewTime);
        runDue();
        settle();
    }

    /**
     * Waits until the reactor has read the new time. A reactor reads the clock only once in each pass of its event loop. A connection that
     * opened before this read would get deadlines that start at the old time.
     */
    private void awaitNewTime(Reactor reactor) {
        await().until(() -> {
            CompletableFuture<Long> now = new CompletableFuture<>();
            reactor.execute(() -> now.complete(reactor.now()));
            return now.get(PromptWaits.PATIENCE.toSeconds(), TimeUnit.SECONDS) >= clock.nanos();
        });
    }

    private void runDue() {
        try {
            ((ManualScheduler) transport.scheduler()).runDue();
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Advances the clock in steps of {@code stretch} until the server reports the timeout with this name. One step may not be enough,
     * because the timeout may start only after a worker has done its work.
     */
    public void passUntilTimeout(Duration stretch, String name) {
        await().until(() -> {
            pass(stretch);
            return events.timedOut().contains(name);
        });
    }

    /**
     * Waits until every worker is idle. Tests with a queue of length zero call this method, because such a queue accepts a request only if
     * a worker is idle.
     */
    public void awaitIdleWorkers() {
        await().until(() -> transport.workers().doing().stream()
                .allMatch(doing -> doing.thread().getState() == Thread.State.TIMED_WAITING));
    }

    /** Waits until no request waits and all workers are idle. Then waits until the reactor has read all bytes that were sent. */
    public void awaitRest() throws IOException {
        await().until(() -> transport.queue().size() == 0 && transport.workers().busy(worker -> true) == 0);
        settle();
    }

    /** Waits until the server has released all buffers and files. Idle connections use no buffers and no files. */
    public void awaitNothingHeld() {
        await().untilAsserted(this::assertNothingHeld);
    }

    private void assertNothingHeld() {
        assertEquals(0, transport.pool().inUse(), "bytes in segments of the server");
        assertEquals(0, recordPool.inUse(), "bytes in segments of the layer");
        assertEquals(0, transport.tls().bufferBytes(), "bytes in buffers of TLS");
        assertEquals(0, transport.tls().pendingTasks(), "pending tasks of TLS");
        assertEquals(0, transport.spool().files(), "files for bodies on disk");
        assertEquals(0, transport.spool().used(), "bytes on disk");
    }

    /** Waits until the server stores bytes, in memory or on disk, for a client that does not read. */
    public void awaitHeld() {
        await().until(() -> transport.pool().inUse()
                        + recordPool.inUse()
                        + transport.tls().bufferBytes()
                        + transport.spool().used()
                > 0);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        transport.stop(patience);
        await().untilAsserted(() -> {
            assertNothingHeld();
            assertEquals(0, transport.heldByHeads(), "bytes of request heads in memory");
            assertEquals(0, transport.connections().open().count(), "open connections");
            assertEquals(0, transport.connections().refused(), "refused connections that are still open");
            residue.assertNone(clients.stream().filter(RawClient::isOpen).count());
        });
    }
}
