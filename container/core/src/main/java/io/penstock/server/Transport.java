package io.penstock.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.events.ConnectionEvents;
import io.penstock.exchange.Admission;
import io.penstock.exchange.Bulkhead;
import io.penstock.exchange.Conversation;
import io.penstock.exchange.ExchangeHandler;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.Shutdown;
import io.penstock.limits.AddressLimits;
import io.penstock.limits.BulkheadFigures;
import io.penstock.limits.Counters;
import io.penstock.limits.Gauge;
import io.penstock.limits.Gauges;
import io.penstock.limits.Key;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.SpoolLimits;
import io.penstock.memory.Rounds;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Acceptor;
import io.penstock.reactor.ListenException;
import io.penstock.reactor.Reactor;
import io.penstock.rules.ResponseRules;
import io.penstock.spool.Spool;
import io.penstock.spool.SpoolUnavailableException;
import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import io.penstock.tls.TlsResources;
import io.penstock.work.RequestQueue;
import io.penstock.work.Scheduler;
import io.penstock.work.ThreadKind;
import io.penstock.work.Workers;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All threads of one server, and the objects that they share: acceptor, reactors, request queue, workers, scheduler, segment pool.
 *
 * <p>Thread: the transport's owner. Any thread may call {@link #scheduler}, {@link #queue}, {@link #workers}, and the methods marked "any
 * thread".
 */
public final class Transport {
    private static final Logger LOG = LoggerFactory.getLogger(Transport.class);

    /** A deployment is a job, and may need a second job at the same time. */
    private static final int FOR_DEPLOYMENTS = 2;

    /** The time for idle workers to end, when the server no longer waits for busy workers. */
    private static final Duration IDLE_WORKERS = Duration.ofMillis(100);

    /** Time for the reactors to send the last answers, and for clients to read them. */
    private static final Duration LAST_RESPONSES = Duration.ofSeconds(1);

    private final Spool spool;
    private final Scheduler scheduler;
    private final Workers workers;
    private final ServerResources server;
    private final TlsResources tls;
    private final Reactors reactors;
    private final ConnectionAcceptor connections;
    private final List<Acceptor.Endpoint> endpoints;

    /** Null while the transport does not listen. */
    @GuardedBy("this")
    private @Nullable Acceptor acceptor;

    private volatile List<SocketAddress> addresses = List.of();
    private final ServerGauges gauges;
    private final String node;
    private final Counters counters;
    private final List<BulkheadFigures> bulkheads;
    private final Rounds rounds;

    /** When addresses are bound. */
    public enum Binding {
        AT_ONCE,
        /** By {@link Transport#bind}. */
        LATER
    }

    /**
     * Parts and settings of a transport, in addition to its configuration and its application.
     *
     * @param spool for large bodies; null opens the configured one. The transport owns it, even if its constructor throws
     * @param scheduler runs scheduled tasks such as service timeouts; null makes one
     * @param clock for deadlines of clients and for the queue
     * @param gauges sources of the gauges that lie outside the transport
     * @param prefix of the threads' names, to distinguish the servers of one process
     * @param rounds guards the threads
     * @param listeners to listen at; if empty, the configured places, in plain text
     * @param bulkheads all bulkheads that the admission may find for a request
     * @param binding when the addresses are bound
     */
    public record Options(
            @Nullable Spool spool,
            @Nullable Scheduler scheduler,
            Clock clock,
            Map<Gauge, LongSupplier> gauges,
            String prefix,
            Rounds rounds,
            List<Listener> listeners,
            List<Bulkhead> bulkheads,
            Binding binding) {

        /** For a transport without sessions, files and admin port. */
        private static final Map<Gauge, LongSupplier> NO_OTHERS = Stream.of(
                        Gauge.SESSIONS,
                        Gauge.SESSION_STORE_THREADS,
                        Gauge.FILE_CACHE_BYTES,
                        Gauge.ACCESS_LOG_WAITING,
                        Gauge.COMPRESSORS,
                        Gauge.ADMIN_LISTENERS,
                        Gauge.CONTEXTS_FAILED,
                        Gauge.CERTIFICATE_EXPIRY_TIMESTAMP,
                        Gauge.CERTIFICATES_OUTDATED,
                        Gauge.CERTIFICATE_PENDING,
                        Gauge.ACME_FAILURES)
                .collect(Collectors.toMap(gauge -> gauge, gauge -> () -> 0));

        /** Options of a transport that is used alone. */
        public static Options alone() {
            return new Options(
                    null, null, Clock.SYSTEM, NO_OTHERS, "", Rounds.unwatched(), List.of(), List.of(), Binding.AT_ONCE);
        }

        public Options with(Spool other) {
            return new Options(other, scheduler, clock, gauges, prefix, rounds, listeners, bulkheads, binding);
        }

        public Options with(Clock otherClock, Scheduler otherScheduler) {
            return new Options(
                    spool, otherScheduler, otherClock, gauges, prefix, rounds, listeners, bulkheads, binding);
        }

        public Options withBulkheads(List<Bulkhead> others) {
            return new Options(spool, scheduler, clock, gauges, prefix, rounds, listeners, others, binding);
        }

        public Options with(List<Listener> others) {
            return new Options(spool, scheduler, clock, gauges, prefix, rounds, others, bulkheads, binding);
        }
    }

    /**
     * Binds all addresses, unless the options leave this to {@link #bind}; connections are accepted from {@link #start} on.
     *
     * @throws SpoolUnavailableException if bodies cannot be put on disk
     * @throws ListenException if an address cannot be bound; then no address stays bound
     * @throws IOException if the system has no selector left
     */
    public Transport(
            ServerConfig config,
            Admission admission,
            ExchangeHandler handler,
            ConnectionEvents events,
            Counters counters,
            Options options)
            throws IOException {
        this.rounds = options.rounds();
        Clock clock = options.clock();
        String prefix = options.prefix();
        this.node = config.node().name();
        this.counters = counters;
        this.bulkheads = options.bulkheads().stream().map(Bulkhead::figures).toList();
        this.spool = options.spool() == null ? open(config.spool(), counters, prefix, rounds) : options.spool();
        Reactors made = null;
        try {
            this.scheduler = options.scheduler() == null ? new Scheduler(prefix, rounds) : options.scheduler();
            SegmentPool pool =
                    new SegmentPool(config.pipes().segment(), config.pipes().budget());
            RequestQueue queue = new RequestQueue(
                    config.threads().queue(),
                    config.threads().maxStreaming(),
                    config.threads().maxSpooling(),
                    config.service().overloadAfter(),
                    config.threads().workers(),
                    options.bulkheads().stream()
                            .map(Bulkhead::workers)
                            .filter(Objects::nonNull)
                            .toList(),
                    clock);
            this.workers = new Workers(
                    queue,
                    config.threads().workers(),
                    prefix,
                    rounds,
                    ThreadKind.of(config.threads().virtual()));
            this.server = new ServerResources(
                    config, pool, spool, queue, scheduler, admission, handler, events, counters, clock, rounds);
            this.tls = new TlsResources(config.tlsLimits(), counters, prefix, rounds);
            made = new Reactors(config, pool, clock, events, counters, prefix, rounds);
            this.reactors = made;
            this.connections = new ConnectionAcceptor(server, tls, reactors);
            this.gauges = new ServerGauges(server, tls, workers, reactors, connections, options.gauges());
            this.endpoints = listeners(config, options).stream()
                    .map(connections::endpoint)
                    .toList();
            if (options.binding() == Binding.AT_ONCE) {
                bind();
            }
        } catch (IOException | RuntimeException | Error e) {
            closeUnstarted(made, spool, e);
            throw e;
        }
    }

    private static List<Listener> listeners(ServerConfig config, Options options) {
        return options.listeners().isEmpty()
                ? config.listen().addresses().stream()
                        .map(address -> Listener.plain(address.place()))
                        .toList()
                : options.listeners();
    }

    private static Spool open(SpoolLimits limits, Counters counters, String prefix, Rounds rounds)
            throws SpoolUnavailableException {
        return Spool.open(
                limits.directory(), limits.limit(), limits.threads(), limits.queue(), counters, prefix, rounds);
    }

    /** Closes the parts after a failure of the constructor, so that nothing is left open. */
    private static void closeUnstarted(@Nullable Reactors reactors, Spool spool, Throwable cause) {
        if (reactors != null) {
            reactors.stop();
        }
        try {
            spool.close();
        } catch (IOException e) {
            cause.addSuppressed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cause.addSuppressed(e);
        }
    }

    /** Starts as many workers as deployments need, before connections are accepted. */
    public void startWorkers() {
        workers.start(FOR_DEPLOYMENTS);
    }

    /**
     * Binds all addresses; connections are accepted from {@link #start} on.
     *
     * @throws ListenException if an address cannot be bound; then no address stays bound
     */
    public synchronized void bind() throws ListenException {
        Acceptor bound =
                new Acceptor(reactors.all().get(0), endpoints, server.config().listen(), connections, counters, rounds);
        acceptor = bound;
        addresses = bound.addresses();
    }

    /**
     * Accepts connections, and then starts the other workers. Dozens of threads take milliseconds to start, and the first client need not
     * wait for them.
     */
    public void start() {
        startWorkers();
        reactors.start();
        accept();
        workers.start();
    }

    private synchronized void accept() {
        Objects.requireNonNull(acceptor, "all addresses are bound").start();
    }

    /**
     * The addresses that the server listens on, or has listened on, in the order of its listeners, with the ports that the system has chosen.
     * Empty if they have not been bound yet.
     */
    public List<SocketAddress> addresses() {
        return addresses;
    }

    /** Replaces the limits by address and the rules for the fields of responses; {@code rules} is null for none. */
    public void replaceRules(AddressLimits addresses, @Nullable ResponseRules rules) {
        connections.limit(addresses);
        server.replaceRules(addresses, rules);
    }

    /** The present rules for the fields of responses; null for none. */
    @Nullable
    ResponseRules responseRules() {
        return server.responseRules();
    }

    public List<Reactor> reactors() {
        return reactors.all();
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    public RequestQueue queue() {
        return server.queue();
    }

    public Workers workers() {
        return workers;
    }

    /** Bytes of large heads in memory now. */
    public long heldByHeads() {
        return server.headBudget().used();
    }

    /** Counts and accepts connections. */
    public ConnectionAcceptor connections() {
        return connections;
    }

    /** The resources that all connections with TLS share. */
    public TlsResources tls() {
        return tls;
    }

    public Spool spool() {
        return spool;
    }

    public SegmentPool pool() {
        return server.pool();
    }

    /** The gauges of the server. Any thread but a reactor. */
    public Gauges gauges() {
        return gauges.gauges();
    }

    /** The bulkheads, for operators. */
    public List<BulkheadFigures> bulkheads() {
        return bulkheads;
    }

    /** All connections at this moment. Takes a second at most. Any thread but a reactor. */
    public ConnectionList list() {
        return gauges.connections();
    }

    /** The number of connections in each state, and some of the busiest. Takes a second at most. Any thread but a reactor. */
    public ConnectionCensus census(int most) {
        return gauges.census(most);
    }

    /** The current activity as text for an operator. Takes a second at most. Any thread but a reactor. */
    public String dump() {
        return new ServerDump(node).of(list(), workers.doing(), bulkheads, gauges(), counters);
    }

    // ---- the end

    /** From here on every response closes its connection. Any thread. */
    public void closeConnections() {
        server.shutdown().advance(Shutdown.Phase.LAST_REQUESTS);
    }

    /**
     * Stops in order. Accepts no more connections, and closes each after its response. Closes idle connections after {@code
     * shutdown-delay}. Completes requests that run or have begun to arrive, for at most {@code patience} in all. Then answers 503 to
     * requests without a response, and closes the remaining connections.
     *
     * @throws InterruptedException if the thread was interrupted, which ends the wait; all parts have been stopped even then
     */
    public void stop(Duration patience) throws IOException, InterruptedException {
        try {
            finish(System.nanoTime() + Saturated.nanos(patience));
        } finally {
            cut();
        }
    }

    private void finish(long deadline) throws InterruptedException {
        closePort();
        connections.open().awaitNone(idleUntil(deadline));
        closeIdle();
        connections.open().awaitNone(deadline);
        // Even when no connection is left, a worker may still run the request of a disconnected client.
        workers.finish(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }

    /**
     * Stops listening, and then closes each connection after its response. In the other order a proxy would open new connections. If it
     * opened one just before the listening socket closes, that connection would be reset. {@link #closeIdle} follows.
     */
    void closePort() throws InterruptedException {
        stopListening();
        closeConnections();
    }

    /**
     * The time until which idle connections stay open: for {@code shutdown-delay}, but for no more than half of the remaining time.
     *
     * @param deadline for the end of all requests, by {@link System#nanoTime}
     */
    long idleUntil(long deadline) {
        long now = System.nanoTime();
        long delay = Saturated.nanos(server.config().timeouts().shutdownDelay());
        return now + Math.min(delay, Math.max(0, deadline - now) / 2);
    }

    /** Closes idle connections. Requests that run or have begun to arrive are completed. */
    void closeIdle() {
        server.shutdown().advance(Shutdown.Phase.FINISHING);
        reactors.visit(Conversation::finish);
    }

    private synchronized void stopListening() throws InterruptedException {
        Acceptor stopped = acceptor;
        acceptor = null;
        if (stopped != null) {
            stopped.stop();
        }
    }

    /**
     * Stops listening, answers 503 to requests without a response, and closes all connections. Workers, scheduler and reactors stay.
     * {@link #resume} listens again.
     */
    void suspend() throws InterruptedException {
        long responsesUntil = System.nanoTime() + Saturated.nanos(LAST_RESPONSES);
        closePort();
        closeIdle();
        answerUnbegun(responsesUntil);
        connections.open().awaitNone(responsesUntil);
        reactors.visit(Conversation::end);
    }

    /** @throws ListenException if an address cannot be bound; then no address stays bound */
    void resume() throws ListenException {
        bind();
        server.shutdown().cancel();
        accept();
    }

    private void cut() throws IOException, InterruptedException {
        long responsesUntil = System.nanoTime() + Saturated.nanos(LAST_RESPONSES);
        List<Step> steps = new ArrayList<>(List.<Step>of(
                () -> answerUnbegun(responsesUntil),
                () -> workers.stop(IDLE_WORKERS),
                // An earlier close could destroy answers that clients have not read.
                () -> connections.open().awaitNone(responsesUntil),
                () -> reactors.visit(Conversation::end),
                scheduler::stop,
                reactors::stop));
        reactors.all().forEach(reactor -> steps.add(reactor::join));
        steps.add(tls::close);
        steps.add(spool::close);
        doAll(steps);
    }

    /**
     * Answers 503 to requests without a response, before the workers are interrupted: otherwise an application could answer the interrupt
     * in its own way.
     */
    private void answerUnbegun(long deadline) throws InterruptedException {
        int left = connections.open().count();
        if (left == 0) {
            return;
        }
        LOG.warn("{} connections are still open at the end of {}; they are closed", left, Key.SHUTDOWN_TIMEOUT.id());
        for (int i = 0; i < left; i++) {
            server.reached(Key.SHUTDOWN_TIMEOUT);
        }
        server.shutdown().advance(Shutdown.Phase.CUTTING);
        reactors.visit(Conversation::cut);
        CountDownLatch visited = new CountDownLatch(reactors.all().size());
        reactors.execute(visited::countDown);
        if (!visited.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) { // for the reactors
            LOG.warn("The reactors are busy; some connections close without notice to their clients");
        }
    }

    /** A step at the end of a server. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    /** Runs all steps in order, even after one has thrown; then throws the first exception. */
    private static void doAll(List<Step> steps) throws IOException, InterruptedException {
        Throwable first = null;
        for (Step step : steps) {
            try {
                step.run();
            } catch (IOException | InterruptedException | RuntimeException | Error e) {
                if (first == null) {
                    first = e;
                } else if (e != first) {
                    first.addSuppressed(e);
                }
            }
        }
        if (first instanceof IOException e) {
            throw e;
        } else if (first instanceof InterruptedException e) {
            throw e;
        } else if (first instanceof RuntimeException e) {
            throw e;
        } else if (first instanceof Error e) {
            throw e;
        }
    }
}
