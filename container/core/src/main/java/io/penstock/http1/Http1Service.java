package io.penstock.http1;

import io.penstock.events.ConnectionEvents;
import io.penstock.exchange.Admission;
import io.penstock.exchange.ExchangeHandler;
import io.penstock.limits.ByteAccount;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.Switch;
import io.penstock.memory.Rounds;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import io.penstock.spool.Spool;
import io.penstock.work.Keeper;
import io.penstock.work.RequestQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What all HTTP/1.1 connections of a server share, and the maker of them.
 *
 * <p>Thread: {@link #open} a reactor, the rest any.
 */
final class Http1Service {
    private final ServerConfig config;
    private final SegmentPool pool;
    private final Spool spool;
    private final RequestQueue queue;
    private final Keeper keeper;
    private final Admission admission;
    private final ExchangeHandler handler;
    private final ConnectionEvents events;
    private final boolean followsRequests;
    private final boolean tellsClients;
    private final Counters counters;
    private final Rounds rounds;
    private final DateField date = new DateField();
    private final ByteAccount heads;
    private final AtomicLong connections = new AtomicLong();
    private volatile Stage stage = Stage.SERVING;

    Http1Service(
            ServerConfig config,
            SegmentPool pool,
            Spool spool,
            RequestQueue queue,
            Keeper keeper,
            Admission admission,
            ExchangeHandler handler,
            ConnectionEvents events,
            Counters counters,
            Rounds rounds) {
        this.rounds = rounds;
        this.config = config;
        this.pool = pool;
        this.spool = spool;
        this.queue = queue;
        this.keeper = keeper;
        this.admission = admission;
        this.handler = handler;
        this.events = events;
        this.followsRequests = events.followsRequests();
        this.tellsClients = config.telemetry().serverTiming() == Switch.ON;
        this.counters = counters;
        this.heads = new ByteAccount(config.pipes().heads());
    }

    /** The conversation on a new link; {@code unfinished} is its reactor's. */
    LinkHandler open(Link link, UnfinishedBodies unfinished) {
        return new Http1Connection(this, link, unfinished, nextId());
    }

    /** A name for a new connection. */
    String nextId() {
        return "c" + connections.incrementAndGet();
    }

    /** The server goes forward on the way to its end; going back has no effect. Thread: the server's owner. */
    void moveTo(Stage next) {
        if (next.compareTo(stage) > 0) {
            stage = next;
        }
    }

    /** Whether every response closes its connection. */
    boolean isDraining() {
        return stage.compareTo(Stage.LEAVING) >= 0;
    }

    /** Whether a connection ends as soon as nothing runs on it. */
    boolean isFinishing() {
        return stage.compareTo(Stage.FINISHING) >= 0;
    }

    /** Whether a response that has not begun is 503. */
    boolean isCutting() {
        return stage.compareTo(Stage.CUTTING) >= 0;
    }

    ServerConfig config() {
        return config;
    }

    SegmentPool pool() {
        return pool;
    }

    Spool spool() {
        return spool;
    }

    /** What large heads hold, from their first bytes to the end of their requests. */
    ByteAccount heads() {
        return heads;
    }

    RequestQueue queue() {
        return queue;
    }

    /** What guards the threads. */
    Rounds rounds() {
        return rounds;
    }

    Keeper keeper() {
        return keeper;
    }

    Admission admission() {
        return admission;
    }

    ExchangeHandler handler() {
        return handler;
    }

    ConnectionEvents events() {
        return events;
    }

    /** Whether somebody wants to know what becomes of the request whose head has come. */
    boolean followsNow() {
        return tellsClients || (followsRequests && events.followsNow());
    }

    /** Whether clients are told how long their requests took. */
    boolean tellsClients() {
        return tellsClients;
    }

    /** A bound has bitten. */
    void reached(Key limit) {
        Counter counter = limit.consequence().counter();
        if (counter != null) {
            counters.increment(counter);
        }
    }

    void count(Counter counter) {
        counters.increment(counter);
    }

    /** An unfinished body went to disk so that others have memory. */
    void spilled() {
        counters.increment(Counter.PIPES_SPILLED);
    }

    /** A request waited for a worker when its queue was found to stand, and is told so. */
    void outdated() {
        counters.increment(Counter.OUTDATED);
    }

    /** A response was given up because its client was too slow for it. */
    void cut() {
        counters.increment(Counter.RESPONSES_CUT);
    }

    /** A client has gone without its answer. */
    void clientGone() {
        counters.increment(Counter.CLIENTS_GONE);
    }

    /** A call goes on, interrupt or not. */
    void givenUp() {
        counters.increment(Counter.SERVICE_CALLS_GIVEN_UP);
    }

    DateField date() {
        return date;
    }
}
