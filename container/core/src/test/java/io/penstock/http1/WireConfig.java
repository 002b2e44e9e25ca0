package io.penstock.http1;

import io.penstock.limits.AddressLimits;
import io.penstock.limits.Compression;
import io.penstock.limits.Listen;
import io.penstock.limits.Listen.ConnectionsPolicy;
import io.penstock.limits.ListenAddress;
import io.penstock.limits.ListenAddress.BindAddress;
import io.penstock.limits.MessageLimits;
import io.penstock.limits.Pipes;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.ServerConfig.Telemetry;
import io.penstock.limits.ServerLogging;
import io.penstock.limits.SpoolLimits;
import io.penstock.limits.Switch;
import io.penstock.limits.Threads;
import io.penstock.limits.Timeouts;
import io.penstock.limits.Timeouts.ServiceTimes;
import io.penstock.limits.Tls;
import io.penstock.limits.Tls.TlsLimits;
import io.penstock.limits.TrustedProxies;
import io.penstock.time.Clock;
import io.penstock.time.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Builds the configuration of a server for a test. By default, the server has one reactor, a few workers and a free port. Each test
 * changes the values that it tests.
 */
public final class WireConfig {
    private static final List<ListenAddress> LOOPBACK =
            List.of(new ListenAddress(new BindAddress.Network("127.0.0.1", 0), Switch.OFF, Switch.OFF));

    private Listen listen = new Listen(LOOPBACK, 128, 0, 0, 1000, ConnectionsPolicy.REFUSE);
    private Threads threads = new Threads(4, Switch.OFF, 1, 64, 2, 2, "none");
    private Switch halfClose = Switch.OFF;
    private Pipes pipes = pipesThatDoNotGrow(ServerConfig.defaults().pipes());
    private TlsLimits tls = ServerConfig.defaults().tlsLimits();
    private SpoolLimits spool = ServerConfig.defaults().spool();
    private MessageLimits wire = ServerConfig.defaults().messages();
    private Timeouts timeouts = longTimeouts(ServerConfig.defaults().timeouts());
    private ServiceTimes service = ServerConfig.defaults().service();
    private Telemetry telemetry = ServerConfig.defaults().telemetry();
    private TrustedProxies proxies = ServerConfig.defaults().proxies();
    private AddressLimits addresses = ServerConfig.defaults().addresses();
    private Clock clock = Clock.SYSTEM;
    private RawClient.Layer layer = RawClient.Layer.usual();

    /**
     * Returns settings for pipes (the buffers between clients and workers). These pipes do not grow, so the server writes a body to disk if
     * the body is larger than about 64 KB.
     */
    private static Pipes pipesThatDoNotGrow(Pipes usual) {
        return new Pipes(64 * 1024, usual.segment(), usual.budget(), usual.heads());
    }

    /**
     * Returns long timeouts. With short timeouts, the server could refuse clients on a busy machine. A test sets the timeout that it tests.
     */
    private static Timeouts longTimeouts(Timeouts usual) {
        Duration longer = Duration.ofMinutes(10);
        return new Timeouts(
                longer,
                longer,
                longer,
                longer,
                0,
                longer,
                longer,
                longer,
                usual.linger(),
                usual.shutdownDelay(),
                usual.shutdown());
    }

    /** Sets a clock that only {@link WireServer#pass} advances. The timeouts of clients, of the queue and of handlers use this clock. */
    public WireConfig timeByHand() {
        clock = new ManualClock();
        return this;
    }

    public WireConfig addresses(AddressLimits limits) {
        addresses = limits;
        return this;
    }

    public Clock clock() {
        return clock;
    }

    /** Sets the trusted proxies of the server. */
    public WireConfig proxies(TrustedProxies trusted) {
        proxies = trusted;
        return this;
    }

    /** Makes all connections send their bytes in unencrypted records, a layer that only tests use ({@link RawClient.Layer#RECORDS}). */
    public WireConfig overRecords() {
        layer = RawClient.Layer.RECORDS;
        return this;
    }

    /** Makes all connections use TLS. */
    public WireConfig overTls() {
        layer = RawClient.Layer.TLS;
        return this;
    }

    /** Makes all connections plain sockets, even if {@link RawClient.Layer#usual} is another layer. */
    public WireConfig overSockets() {
        layer = RawClient.Layer.NONE;
        return this;
    }

    public WireConfig over(RawClient.Layer other) {
        layer = other;
        return this;
    }

    public RawClient.Layer layer() {
        return layer;
    }

    public WireConfig workers(int workers) {
        threads = new Threads(
                workers,
                Switch.OFF,
                1,
                threads.queue(),
                Math.min(workers, threads.maxStreaming()),
                Math.min(workers, threads.maxSpooling()),
                "none");
        return this;
    }

    /** The requests of clients that close their sending direction stay in the queue ({@code half-close = on}). */
    public WireConfig halfClose() {
        halfClose = Switch.ON;
        return this;
    }

    public WireConfig queue(int queue) {
        threads = new Threads(
                threads.workers(), Switch.OFF, 1, queue, threads.maxStreaming(), threads.maxSpooling(), "none");
        return this;
    }

    public WireConfig maxStreaming(int most) {
        threads = new Threads(threads.workers(), Switch.OFF, 1, threads.queue(), most, threads.maxSpooling(), "none");
        return this;
    }

    public WireConfig maxSpooling(int most) {
        threads = new Threads(threads.workers(), Switch.OFF, 1, threads.queue(), threads.maxStreaming(), most, "none");
        return this;
    }

    public WireConfig reactors(int count) {
        threads = new Threads(
                threads.workers(),
                Switch.OFF,
                count,
                threads.queue(),
                threads.maxStreaming(),
                threads.maxSpooling(),
                "none");
        return this;
    }

    /** Sets the size of the send buffers of the kernel. With small buffers, the server soon notices a client that does not read. */
    public WireConfig sendBuffer(int bytes) {
        return listen(bytes, listen.receiveBuffer(), listen.maxConnections(), listen.policy());
    }

    public WireConfig receiveBuffer(int bytes) {
        return listen(listen.sendBuffer(), bytes, listen.maxConnections(), listen.policy());
    }

    public WireConfig maxConnections(int most, ConnectionsPolicy policy) {
        return listen(listen.sendBuffer(), listen.receiveBuffer(), most, policy);
    }

    private WireConfig listen(int sendBuffer, int receiveBuffer, int most, ConnectionsPolicy policy) {
        listen = new Listen(LOOPBACK, 128, sendBuffer, receiveBuffer, most, policy);
        return this;
    }

    public WireConfig pipes(int capacity, int segment) {
        pipes = new Pipes(capacity, segment, pipes.budget(), pipes.heads());
        return this;
    }

    public WireConfig budget(long budget) {
        pipes = new Pipes(pipes.capacity(), pipes.segment(), budget, pipes.heads());
        return this;
    }

    /** Sets the limit for the bytes of all bodies on disk. */
    public WireConfig spoolLimit(long bytes) {
        spool = new SpoolLimits(spool.directory(), bytes, spool.responseLimit(), spool.threads(), spool.queue());
        return this;
    }

    /** Sets the limit for the bytes of one response on disk. With 0, a writer waits for its client when memory is full. */
    public WireConfig responseSpoolLimit(long bytes) {
        spool = new SpoolLimits(spool.directory(), spool.limit(), bytes, spool.threads(), spool.queue());
        return this;
    }

    public WireConfig spoolDirectory(Path directory) {
        spool = new SpoolLimits(directory, spool.limit(), spool.responseLimit(), spool.threads(), spool.queue());
        return this;
    }

    /** Sets the highest number of writes to disk that can run or wait at the same time. Only one thread of the server runs these writes. */
    public WireConfig spoolQueue(int writes) {
        spool = new SpoolLimits(spool.directory(), spool.limit(), spool.responseLimit(), 1, writes);
        return this;
    }

    public WireConfig headBudget(long bytes) {
        pipes = new Pipes(pipes.capacity(), pipes.segment(), pipes.budget(), bytes);
        return this;
    }

    public WireConfig wire(MessageLimits limits) {
        wire = limits;
        return this;
    }

    public WireConfig bodyLimit(long bytes) {
        wire = new MessageLimits(
                wire.requestLine(),
                wire.headerBytes(),
                wire.headerCount(),
                wire.chunkExtensionBytes(),
                wire.trailerBytes(),
                bytes);
        return this;
    }

    public WireConfig tls(TlsLimits limits) {
        tls = limits;
        return this;
    }

    public WireConfig handshakeTimeout(int millis) {
        timeouts = new Timeouts(
                Duration.ofMillis(millis),
                timeouts.head(),
                timeouts.bodyStall(),
                timeouts.bodyTotal(),
                timeouts.bodyMinRate(),
                timeouts.keepAlive(),
                timeouts.writeStall(),
                timeouts.upgradeIdle(),
                timeouts.linger(),
                timeouts.shutdownDelay(),
                timeouts.shutdown());
        return this;
    }

    public WireConfig headTimeout(int millis) {
        return timeouts(
                Duration.ofMillis(millis),
                timeouts.bodyStall(),
                timeouts.keepAlive(),
                timeouts.writeStall(),
                timeouts.linger());
    }

    public WireConfig bodyStall(int millis) {
        return timeouts(
                timeouts.head(),
                Duration.ofMillis(millis),
                timeouts.keepAlive(),
                timeouts.writeStall(),
                timeouts.linger());
    }

    public WireConfig bodyTotal(int millis) {
        return timeouts(Duration.ofMillis(millis), timeouts.bodyMinRate());
    }

    public WireConfig bodyMinRate(long bytesPerSecond) {
        return timeouts(timeouts.bodyTotal(), bytesPerSecond);
    }

    private WireConfig timeouts(Duration bodyTotal, long bodyMinRate) {
        timeouts = new Timeouts(
                timeouts.handshake(),
                timeouts.head(),
                timeouts.bodyStall(),
                bodyTotal,
                bodyMinRate,
                timeouts.keepAlive(),
                timeouts.writeStall(),
                timeouts.upgradeIdle(),
                timeouts.linger(),
                timeouts.shutdownDelay(),
                timeouts.shutdown());
        return this;
    }

    public WireConfig serverTiming() {
        telemetry = new Telemetry(Switch.ON, telemetry.flight());
        return this;
    }

    public WireConfig queueAge(int millis) {
        service = new ServiceTimes(Duration.ofMillis(millis), service.overloadAfter(), service.call(), service.async());
        return this;
    }

    public WireConfig overloadAfter(int millis) {
        service = new ServiceTimes(service.queueAge(), Duration.ofMillis(millis), service.call(), service.async());
        return this;
    }

    public WireConfig serviceTimeout(int millis) {
        service = new ServiceTimes(
                service.queueAge(), service.overloadAfter(), Duration.ofMillis(millis), service.async());
        return this;
    }

    public WireConfig keepAlive(int millis) {
        return timeouts(
                timeouts.head(),
                timeouts.bodyStall(),
                Duration.ofMillis(millis),
                timeouts.writeStall(),
                timeouts.linger());
    }

    public WireConfig writeStall(int millis) {
        return timeouts(
                timeouts.head(),
                timeouts.bodyStall(),
                timeouts.keepAlive(),
                Duration.ofMillis(millis),
                timeouts.linger());
    }

    public WireConfig upgradeIdle(int millis) {
        timeouts = new Timeouts(
                timeouts.handshake(),
                timeouts.head(),
                timeouts.bodyStall(),
                timeouts.bodyTotal(),
                timeouts.bodyMinRate(),
                timeouts.keepAlive(),
                timeouts.writeStall(),
                Duration.ofMillis(millis),
                timeouts.linger(),
                timeouts.shutdownDelay(),
                timeouts.shutdown());
        return this;
    }

    public WireConfig linger(int millis) {
        return timeouts(
                timeouts.head(),
                timeouts.bodyStall(),
                timeouts.keepAlive(),
                timeouts.writeStall(),
                Duration.ofMillis(millis));
    }

    public WireConfig shutdownDelay(Duration delay) {
        timeouts = new Timeouts(
                timeouts.handshake(),
                timeouts.head(),
                timeouts.bodyStall(),
                timeouts.bodyTotal(),
                timeouts.bodyMinRate(),
                timeouts.keepAlive(),
                timeouts.writeStall(),
                timeouts.upgradeIdle(),
                timeouts.linger(),
                delay,
                timeouts.shutdown());
        return this;
    }

    private WireConfig timeouts(
            Duration head, Duration bodyStall, Duration keepAlive, Duration writeStall, Duration linger) {
        timeouts = new Timeouts(
                timeouts.handshake(),
                head,
                bodyStall,
                timeouts.bodyTotal(),
                timeouts.bodyMinRate(),
                keepAlive,
                writeStall,
                timeouts.upgradeIdle(),
                linger,
                timeouts.shutdownDelay(),
                timeouts.shutdown());
        return this;
    }

    public ServerConfig toConfig() {
        return new ServerConfig(
                ServerConfig.defaults().node(),
                ServerConfig.defaults().admin(),
                listen,
                ServerConfig.defaults().acme(),
                Tls.defaults(),
                ServerConfig.defaults().https(),
                proxies,
                addresses,
                Map.of(),
                threads,
                halfClose,
                List.of(),
                pipes,
                tls,
                spool,
                wire,
                ServerConfig.defaults().parameters(),
                ServerConfig.defaults().logins(),
                ServerConfig.defaults().files(),
                Compression.OFF,
                ServerConfig.defaults().sessions(),
                ServerConfig.defaults().encodings(),
                ServerConfig.defaults().redirects(),
                ServerConfig.defaults().crossContext(),
                ServerConfig.defaults().unknownHost(),
                ServerConfig.defaults().traceMethod(),
                ServerConfig.defaults().http2(),
                ServerConfig.defaults().webapps(),
                ServerConfig.defaults().deploying(),
                ServerLogging.defaults(),
                ServerConfig.defaults().accessLog(),
                Map.of(),
                telemetry,
                timeouts,
                ServerConfig.defaults().webSockets(),
                service);
    }
}
