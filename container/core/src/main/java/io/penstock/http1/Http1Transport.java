package io.penstock.http1;

import io.penstock.events.ConnectionEvents;
import io.penstock.exchange.Admission;
import io.penstock.exchange.Conversation;
import io.penstock.exchange.ExchangeHandler;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.Shutdown;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.limits.Counters;
import io.penstock.limits.Gauge;
import io.penstock.limits.Gauges;
import io.penstock.limits.Key;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.SpoolLimits;
import io.penstock.memory.Rounds;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Acceptor;
import io.penstock.reactor.Reactor;
import io.penstock.spool.Spool;
import io.penstock.spool.SpoolUnavailableException;
import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import io.penstock.work.Keeper;
import io.penstock.work.RequestQueue;
import io.penstock.work.Workers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All threads of one server, and the objects that they share: acceptor, reactors, request queue, workers, keeper, segment pool.
 *
 * <p>Thread: its owner's, but for {@link #keeper}, {@link #queue} and {@link #workers}, which are for any.
 */
public final class Http1Transport {
    /** A transport alone has neither sessions nor files, nor anybody who looks. */
    private static final Map<Gauge, LongSupplier> NOTHING_ABOVE = Map.of(
            Gauge.SESSIONS, () -> 0,
            Gauge.FILE_CACHE_BYTES, () -> 0,
            Gauge.ACCESS_LOG_WAITING, () -> 0,
            Gauge.ADMIN_LISTENERS, () -> 0,
            Gauge.CONTEXTS_FAILED, () -> 0);

    private static final Logger LOG = LoggerFactory.getLogger(Http1Transport.class);

    /** For idle workers to end by themselves, where nobody wants to wait for the others. */
    private static final Duration CUT_SHORT = Duration.ofMillis(100);

    /** For clients to be told that the server ends, and to read it. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private final SegmentPool pool;
    private final Spool spool;
    private final RequestQueue queue;
    private final Workers workers;
    private final Keeper keeper;
    private final ServerResources server;
    private final List<Reactor> reactors = new ArrayList<>();
    private final List<UnfinishedBodies> unfinished = new ArrayList<>(); // one a reactor
    private final Entrance entrance;
    private final Acceptor acceptor;
    private final Levels levels;
    private final Counters counters;

    /**
     * Binds the address; connections are accepted from {@link #start} on.
     *
     * @throws SpoolUnavailableException if there is no place for bodies on disk
     * @throws IOException if the address cannot be bound
     */
    public Http1Transport(
            ServerConfig config,
            Admission admission,
            ExchangeHandler handler,
            ConnectionEvents events,
            Counters counters)
            throws IOException {
        this(config, admission, handler, events, counters, NOTHING_ABOVE, "", Rounds.unwatched());
    }

    /**
     * The same; the names of its threads begin with {@code prefix}, where there are several servers in one process.
     *
     * @param above where the levels are read that others hold
     * @param rounds guard its threads
     */
    public Http1Transport(
            ServerConfig config,
            Admission admission,
            ExchangeHandler handler,
            ConnectionEvents events,
            Counters counters,
            Map<Gauge, LongSupplier> above,
            String prefix,
            Rounds rounds)
            throws IOException {
        this(
                config,
                open(config.spool(), counters, prefix, rounds),
                new Keeper(prefix, rounds),
                Clock.SYSTEM,
                admission,
                handler,
                events,
                counters,
                above,
                prefix,
                rounds);
    }

    /**
     * @param keeper for service timeouts and what else is due
     * @param clock for all deadlines of clients and for the queue
     */
    Http1Transport(
            ServerConfig config,
            Keeper keeper,
            Clock clock,
            Admission admission,
            ExchangeHandler handler,
            ConnectionEvents events,
            Counters counters)
            throws IOException {
        this(
                config,
                open(config.spool(), counters, "", Rounds.unwatched()),
                keeper,
                clock,
                admission,
                handler,
                events,
                counters,
                NOTHING_ABOVE,
                "",
                Rounds.unwatched());
    }

    /** @param spool this object's from here on, also if the call throws */
    Http1Transport(
            ServerConfig config,
            Spool spool,
            Admission admission,
            ExchangeHandler handler,
            ConnectionEvents events,
            Counters counters)
            throws IOException {
        this(
                config,
                spool,
                new Keeper("", Rounds.unwatched()),
                Clock.SYSTEM,
                admission,
                handler,
                events,
                counters,
                NOTHING_ABOVE,
                "",
                Rounds.unwatched());
    }

    private Http1Transport(
            ServerConfig config,
            Spool spool,
            Keeper keeper,
            Clock clock,
            Admission admission,
            ExchangeHandler handler,
            ConnectionEvents events,
            Counters counters,
            Map<Gauge, LongSupplier> above,
            String prefix,
            Rounds rounds)
            throws IOException {
        this.spool = spool;
        this.counters = counters;
        this.keeper = keeper;
        try {
            this.pool = new SegmentPool(config.pipes().segment(), config.pipes().budget());
            this.queue = new RequestQueue(
                    config.threads().queue(),
                    config.threads().maxStreaming(),
                    config.service().overloadAfter(),
                    config.threads().workers(),
                    clock);
            this.workers = new Workers(queue, config.threads().workers(), prefix, rounds);
            this.server = new ServerResources(
                    config, pool, spool, queue, keeper, admission, handler, events, counters, rounds);
            for (int i = 1; i <= config.threads().reactors(); i++) {
                // What a read leaves over fits into one segment.
                Reactor reactor = new Reactor(
                        prefix + "reactor-" + i,
                        clock,
                        events,
                        counters,
                        config.pipes().segment(),
                        rounds);
                reactors.add(reactor);
                unfinished.add(
                        new UnfinishedBodies(reactor, pool, config.pipes().capacity(), this::spillElsewhere));
            }
            this.entrance = new Entrance(server, new Http1Protocol(server), config.listen(), doors());
            this.levels =
                    new Levels(pool, server.heads(), spool, queue, workers, reactors, unfinished, entrance, above);
            this.acceptor = new Acceptor(config.listen(), counters, entrance, prefix, rounds);
        } catch (IOException | RuntimeException | Error e) {
            abandon(reactors, spool, e);
            throw e;
        }
    }

    private static Spool open(SpoolLimits limits, Counters counters, String prefix, Rounds rounds)
            throws SpoolUnavailableException {
        return Spool.open(
                limits.directory(), limits.limit(), limits.threads(), limits.queue(), counters, prefix, rounds);
    }

    /** One reactor is short of memory and has nothing to write to disk; another may. Thread: that reactor. */
    private void spillElsewhere(UnfinishedBodies asking) {
        for (int i = 0; i < reactors.size(); i++) {
            UnfinishedBodies others = unfinished.get(i);
            if (others != asking) {
                reactors.get(i).execute(others::spillLargest);
            }
        }
    }

    private List<Entrance.Door> doors() {
        List<Entrance.Door> doors = new ArrayList<>();
        for (int i = 0; i < reactors.size(); i++) {
            doors.add(new Entrance.Door(reactors.get(i), unfinished.get(i)));
        }
        return doors;
    }

    /** A server that cannot be leaves nothing open. Nothing runs yet. */
    private static void abandon(List<Reactor> reactors, Spool spool, Throwable cause) {
        reactors.forEach(Reactor::stop);
        try {
            spool.close();
        } catch (IOException e) {
            cause.addSuppressed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cause.addSuppressed(e);
        }
    }

    /** Workers run what they are given; nobody is let in yet. {@link #start} does so, too. */
    public void startWorkers() {
        workers.start();
    }

    public void start() {
        workers.start();
        reactors.forEach(Reactor::start);
        acceptor.start();
    }

    public InetSocketAddress address() throws IOException {
        return acceptor.address();
    }

    List<Reactor> reactors() {
        return List.copyOf(reactors);
    }

    public Keeper keeper() {
        return keeper;
    }

    public RequestQueue queue() {
        return queue;
    }

    public Workers workers() {
        return workers;
    }

    /** Bytes that large heads hold at this moment. */
    public long heldByHeads() {
        return server.heads().used();
    }

    /** Who is let in, and how many are. */
    Entrance entrance() {
        return entrance;
    }

    public Spool spool() {
        return spool;
    }

    public SegmentPool pool() {
        return pool;
    }

    /** How much there is of what has a level. Any thread but a reactor. */
    public Gauges gauges() {
        return levels.gauges();
    }

    /** How each connection stands. Takes a second at most. Any thread but a reactor. */
    public Survey survey() {
        return levels.survey();
    }

    /** How many connections are in each state, and some of the busiest. Takes a second at most. Any thread but a reactor. */
    public Census census(int most) {
        return levels.census(most);
    }

    /** What it does at this moment, for an operator to read. Takes a second at most. Any thread but a reactor. */
    public String dump() {
        return new Dump().of(levels.survey(), workers.doing(), levels.gauges(), counters);
    }

    /** The end is near: from here on every response closes its connection. Connections are still accepted. Any thread. */
    public void leave() {
        server.shutdown().advance(Shutdown.Phase.DRAINING);
    }

    /**
     * Stops in order: no more connections; idle ones close, responses close theirs; what runs or has begun to arrive comes to its end,
     * at most for {@code patience}; then what has not begun its response is answered 503, and the rest is cut off.
     *
     * @throws InterruptedException if the thread was interrupted, which ends the patience; all the same everything has been stopped
     */
    public void stop(Duration patience) throws IOException, InterruptedException {
        try {
            letFinish(System.nanoTime() + Saturated.nanos(patience));
        } finally {
            cutOff();
        }
    }

    private void letFinish(long deadline) throws InterruptedException {
        leave();
        acceptor.stop();
        server.shutdown().advance(Shutdown.Phase.FINISHING);
        visit(Conversation::finish);
        entrance.open().awaitNone(deadline);
        workers.finish(Duration.ofNanos(
                Math.max(0, deadline - System.nanoTime()))); // some may run on for clients that have gone
    }

    private void cutOff() throws IOException, InterruptedException {
        long lastWords = System.nanoTime() + Saturated.nanos(LAST_WORDS);
        List<Last> last = new ArrayList<>(List.<Last>of(
                () -> answerUnbegun(lastWords),
                () -> workers.stop(CUT_SHORT),
                // A close before they have read their answers could destroy them.
                () -> entrance.open().awaitNone(lastWords),
                () -> visit(Conversation::end),
                keeper::stop,
                () -> reactors.forEach(Reactor::stop)));
        reactors.forEach(reactor -> last.add(reactor::join));
        last.add(spool::close);
        doAll(last);
    }

    /** Before the workers are interrupted, so that no application answers its interrupt in its own words. */
    private void answerUnbegun(long deadline) throws InterruptedException {
        int left = entrance.open().count();
        if (left == 0) {
            return;
        }
        LOG.warn("{} connections are left at the end of {}; they are cut off", left, Key.SHUTDOWN_TIMEOUT.id());
        for (int i = 0; i < left; i++) {
            server.reached(Key.SHUTDOWN_TIMEOUT);
        }
        server.shutdown().advance(Shutdown.Phase.CUTTING);
        visit(Conversation::cut);
        CountDownLatch visited = new CountDownLatch(reactors.size());
        for (Reactor reactor : reactors) {
            reactor.execute(visited::countDown);
        }
        if (!visited.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) { // for the reactors
            LOG.warn("The reactors are busy; some clients are not told that the server ends");
        }
    }

    /** One stage's work on a connection. */
    @FunctionalInterface
    private interface Part {
        void of(Conversation connection) throws IOException;
    }

    private void visit(Part part) {
        for (Reactor reactor : reactors) {
            reactor.forEachHandler(handler -> {
                if (handler instanceof Conversation connection) {
                    part.of(connection);
                }
            });
        }
    }

    /** One of the last things that the end of a server does. */
    @FunctionalInterface
    private interface Last {
        void run() throws IOException, InterruptedException;
    }

    /** Does all of them in order, whatever becomes of each. */
    private static void doAll(List<Last> last) throws IOException, InterruptedException {
        if (!last.isEmpty()) {
            try {
                last.get(0).run();
            } finally {
                doAll(last.subList(1, last.size()));
            }
        }
    }
}
