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
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.SpoolLimits;
import io.penstock.memory.Rounds;
import io.penstock.metrics.BulkheadFigures;
import io.penstock.metrics.Gauges;
import io.penstock.metrics.MappingFigures;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Acceptor;
import io.penstock.reactor.ListenException;
import io.penstock.reactor.Reactor;
import io.penstock.rules.ErrorDocuments;
import io.penstock.rules.ResponseRules;
import io.penstock.spool.Spool;
import io.penstock.spool.SpoolUnavailableException;
import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import io.penstock.tls.TlsResources;
import io.penstock.work.Mapping;
import io.penstock.work.RequestQueue;
import io.penstock.work.Scheduler;
import io.penstock.work.ThreadKind;
import io.penstock.work.Workers;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All threads of one server, and the objects that they share: acceptor, reactors, request queue, workers, scheduler, segment pool.
 *
 * <p>Thread: the thread that starts or stops the server. Any thread can call {@link #scheduler}, {@link #queue}, {@link #workers}, and the
 * methods with "Thread: any".
 */
public final class Transport {
    private static final Logger LOG = LoggerFactory.getLogger(Transport.class);

    /** The number of workers that deployments need. A deployment runs on a worker, and can need a second worker at the same time. */
    private static final int FOR_DEPLOYMENTS = 2;

    /** The time that {@link #cut} waits for the end of running jobs. After this time, the workers are interrupted. */
    private static final Duration IDLE_WORKERS = Duration.ofMillis(100);

    /** The time for the reactors to send the last responses, and for the clients to read them. */
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

    /** The time at which addresses are bound. */
    public enum Binding {
        AT_ONCE,
        /** The addresses are bound by {@link Transport#bind}. */
        LATER
    }

    /**
     * Parts and settings of a transport, in addition to its configuration and its handler of requests.
     *
     * @param spool the store on disk for large bodies, or null for the configured store. The transport closes this store, even if the
     *     constructor of the transport throws
     * @param scheduler the scheduler of tasks such as service timeouts, or null for a new scheduler
     * @param clock the clock for the deadlines of clients and for the queue
     * @param gauges reads the gauges that are not about the transport
     * @param prefix the prefix of the names of the threads. It distinguishes the servers of one process
     * @param rounds the {@link Rounds} that handle exceptions in the threads
     * @param listeners the listeners. If the list is empty, the transport listens at the configured addresses in plain text
     * @param bulkheads all bulkheads (limits of workers and disk writes for some paths) that the {@link Admission} can choose for a request
     * @param binding the time at which the addresses are bound
     */
    public record Options(
            @Nullable Spool spool,
            @Nullable Scheduler scheduler,
            Clock clock,
            Gauges gauges,
            String prefix,
            Rounds rounds,
            List<Listener> listeners,
            List<Bulkhead> bulkheads,
            Binding binding) {

        /** The options of a transport that is used without a {@link Server}. */
        public static Options alone() {
            return new Options(
                    null,
                    null,
                    Clock.SYSTEM,
                    gauge -> 0,
                    "",
                    Rounds.unwatched(),
                    List.of(),
                    List.of(),
                    Binding.AT_ONCE);
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
     * Makes all parts. Binds all addresses, except with {@link Binding#LATER}. No connection is accepted before {@link #start}.
     *
     * @throws SpoolUnavailableException if bodies cannot be written to disk
     * @throws ListenException if an address cannot be bound. In this case, no address stays bound
     * @throws IOException if the system cannot open another selector
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
                    clock);
            this.workers = new Workers(
                    queue,
                    config.threads().workers(),
                    scheduler,
                    prefix,
                    rounds,
                    ThreadKind.of(config.threads().virtual()));
            this.server = new ServerResources(
                    config, pool, spool, queue, scheduler, admission, handler, events, counters, clock, rounds);
            this.tls = new TlsResources(config.tlsLimits(), counters, prefix, rounds);
            made = new Reactors(config, pool, clock, events, counters, prefix, rounds, queue::wakeChosen);
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
                        .map(address -> Listener.plain(address.bindAddress()))
                        .toList()
                : options.listeners();
    }

    private static Spool open(SpoolLimits limits, Counters counters, String prefix, Rounds rounds)
            throws SpoolUnavailableException {
        return Spool.open(
                limits.directory(), limits.limit(), limits.threads(), limits.queue(), counters, prefix, rounds);
    }

    /** Closes the parts that are already open, after a failure of the constructor. */
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

    /** Starts the workers that deployments need. Called before connections are accepted. */
    public void startWorkers() {
        workers.start(FOR_DEPLOYMENTS);
    }

    /**
     * Binds all addresses. No connection is accepted before {@link #start}.
     *
     * @throws ListenException if an address cannot be bound. In this case, no address stays bound
     */
    public synchronized void bind() throws ListenException {
        Acceptor bound =
                new Acceptor(reactors.all().get(0), endpoints, server.config().listen(), connections, counters, rounds);
        acceptor = bound;
        addresses = bound.addresses();
    }

    /** Accepts connections. Further workers are started when requests need them. */
    public void start() {
        startWorkers();
        reactors.start();
        accept();
    }

    private synchronized void accept() {
        Objects.requireNonNull(acceptor, "the addresses are not bound yet").start();
    }

    /**
     * The addresses of the listeners in their order, with the ports that the system has chosen. After the server has stopped listening,
     * these are the last addresses. The list is empty before the first {@link #bind}.
     */
    public List<SocketAddress> addresses() {
        return addresses;
    }

    /**
     * Replaces the limits for client addresses, and the rules for the header fields of responses.
     *
     * @param rules the new rules, or null for no rules
     */
    public void replaceRules(AddressLimits addresses, @Nullable ResponseRules rules, @Nullable ErrorDocuments errors) {
        connections.limit(addresses);
        server.replaceRules(addresses, rules, errors);
    }

    /** The current pages for errors; null if there are none. */
    @Nullable
    ErrorDocuments errorDocuments() {
        return server.errorDocuments();
    }

    /** The current rules for the header fields of responses, or null if there are no rules. */
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

    /** The current number of bytes of large request heads in memory. */
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

    /** The gauges of the server. Thread: any, except for reactors. */
    public Gauges gauges() {
        return gauges;
    }

    /** The bulkheads, for operators. */
    public List<BulkheadFigures> bulkheads() {
        return bulkheads;
    }

    /** The servlets and paths that monitors see by name, and all others as one. */
    public List<MappingFigures> mappings() {
        return server.noticed()
                .figures(workers.loads().stream().map(Workers.Load::mapping).toList());
    }

    /** How many requests of the mapping were refused since it was noticed. */
    public long refusals(Mapping mapping) {
        return server.noticed().refusals(mapping);
    }

    /** Returns all current connections. Takes at most one second. Thread: any, except for reactors. */
    public ConnectionList list() {
        return gauges.connections();
    }

    /**
     * Returns the number of connections in each state, and the busiest connections, at most {@code most}. Takes at most one second. Thread:
     * any, except for reactors.
     */
    public ConnectionCensus census(int most) {
        return gauges.census(most);
    }

    /** Returns the current activity as text for operators. Takes at most one second. Thread: any, except for reactors. */
    public String dump() {
        return new ServerDump(node).of(list(), workers, server.noticed(), bulkheads, gauges(), counters);
    }

    // ---- stop

    /** After this call, every response closes its connection. The first call tells the conversations. Thread: any. */
    public void closeConnections() {
        if (server.shutdown().advance(Shutdown.Phase.LAST_REQUESTS)) {
            reactors.visit(Conversation::lastRequests);
        }
    }

    /**
     * Stops all parts in order. The transport stops listening, and closes each connection after its response. It closes idle connections
     * after {@code shutdown-delay}. Requests that run or have begun to arrive are completed, for at most {@code patience}. After this time,
     * requests without a response are answered 503, and the remaining connections are closed.
     *
     * @throws InterruptedException if the thread was interrupted. The interrupt ends the wait, and all parts are stopped in this case, too
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
        boolean hadConnections = connections.open().count() > 0;
        connections.open().awaitNone(idleUntil(deadline));
        closeIdle();
        connections.open().awaitNone(deadline);
        if (hadConnections) {
            // A connection does not count any more when its reactor begins to tell its request of the close.
            awaitReactors(deadline);
        }
        // A worker can run a request whose client has disconnected. So the wait for the connections is not enough.
        workers.finish(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }

    /**
     * Stops listening, and then makes each response close its connection. The order is important: when a response closes the connection of
     * a proxy, the proxy opens a new connection. If the server stopped listening at this moment, the new connection would be reset. The
     * caller then calls {@link #closeIdle}.
     */
    void closePort() throws InterruptedException {
        stopListening();
        closeConnections();
    }

    /**
     * The time at which idle connections are closed: after {@code shutdown-delay}, or after half of the remaining time if this is shorter.
     *
     * @param deadline the deadline for the end of all requests, a time of {@link System#nanoTime}
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
     * Stops listening, answers 503 to requests without a response, and closes all connections. Workers, scheduler and reactors continue to
     * run. {@link #resume} listens again.
     */
    void suspend() throws InterruptedException {
        long responsesUntil = System.nanoTime() + Saturated.nanos(LAST_RESPONSES);
        closePort();
        closeIdle();
        answerOpenRequests(responsesUntil);
        connections.open().awaitNone(responsesUntil);
        reactors.visit(Conversation::end);
    }

    /** @throws ListenException if an address cannot be bound. In this case, no address stays bound */
    void resume() throws ListenException {
        bind();
        server.shutdown().cancel();
        accept();
    }

    private void cut() throws IOException, InterruptedException {
        long responsesUntil = System.nanoTime() + Saturated.nanos(LAST_RESPONSES);
        List<EndSteps.Step> steps = new ArrayList<>(List.<EndSteps.Step>of(
                () -> answerOpenRequests(responsesUntil),
                () -> workers.stop(IDLE_WORKERS),
                // A close before this wait could destroy responses that clients have not read.
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
     * Answers 503 to requests without a response. Must run before the workers are interrupted. Otherwise an application could send another
     * response after the interrupt.
     */
    private void answerOpenRequests(long deadline) throws InterruptedException {
        int left = connections.open().count();
        if (left == 0) {
            return;
        }
        LOG.warn(
                left == 1
                        ? "{} connection is still open at the end of {}; it is closed"
                        : "{} connections are still open at the end of {}; they are closed",
                left,
                Key.SHUTDOWN_TIMEOUT.id());
        for (int i = 0; i < left; i++) {
            server.reached(Key.SHUTDOWN_TIMEOUT);
        }
        server.shutdown().advance(Shutdown.Phase.CUTTING);
        reactors.visit(Conversation::cut);
        if (!awaitReactors(deadline)) {
            LOG.warn("The reactors are busy; some connections close without notice to their clients");
        }
    }

    /** Waits until each reactor has done what it does now. Returns false if the deadline has passed first. */
    private boolean awaitReactors(long deadline) throws InterruptedException {
        CountDownLatch passed = new CountDownLatch(reactors.all().size());
        reactors.execute(passed::countDown);
        return passed.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    /** Runs all steps in order, even if a step throws. After the last step, throws the first exception. */
    private static void doAll(List<EndSteps.Step> steps) throws IOException, InterruptedException {
        Throwable first = null;
        for (EndSteps.Step step : steps) {
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
