package io.penstock.http1;

import io.penstock.events.ConnectionEvents;
import io.penstock.exchange.Admission;
import io.penstock.exchange.ExchangeHandler;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.limits.Listen;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.SpoolLimits;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Acceptor;
import io.penstock.reactor.LinkHandler;
import io.penstock.reactor.Reactor;
import io.penstock.spool.Spool;
import io.penstock.spool.SpoolUnavailableException;
import io.penstock.time.Clock;
import io.penstock.work.Keeper;
import io.penstock.work.RequestQueue;
import io.penstock.work.Workers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * All threads of one server, and the objects that they share: acceptor, reactors, request queue, workers, keeper, segment pool.
 *
 * <p>Thread: its owner's, but for {@link #keeper} and {@link #queue}, which are for any.
 */
public final class Http1Transport {
    /** For idle workers to end by themselves, where nobody wants to wait for the others. */
    private static final Duration CUT_SHORT = Duration.ofMillis(100);

    private final SegmentPool pool;
    private final Spool spool;
    private final RequestQueue queue;
    private final Workers workers;
    private final Keeper keeper = new Keeper();
    private final Http1Service service;
    private final List<Reactor> reactors = new ArrayList<>();
    private final List<UnfinishedBodies> unfinished = new ArrayList<>(); // one a reactor
    private final Acceptor acceptor;
    private final int maxConnections;
    private final AtomicInteger connections = new AtomicInteger();
    private int nextReactor;

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
        this.pool = new SegmentPool(config.pipes().segment(), config.pipes().budget());
        this.spool = open(config.spool(), counters);
        this.queue = new RequestQueue(config.threads().queue(), config.threads().maxStreaming());
        this.workers = new Workers(queue, config.threads().workers());
        this.service = new Http1Service(config, pool, spool, queue, keeper, admission, handler, events, counters);
        this.maxConnections = config.listen().maxConnections();
        for (int i = 1; i <= config.threads().reactors(); i++) {
            // What a read leaves over fits into one segment.
            Reactor reactor = new Reactor(
                    "reactor-" + i, Clock.SYSTEM, events, config.pipes().segment(), this::connectionClosed);
            reactors.add(reactor);
            unfinished.add(new UnfinishedBodies(reactor, pool, config.pipes().capacity(), this::spillElsewhere));
        }
        this.acceptor = listen(config.listen());
    }

    private static Spool open(SpoolLimits limits, Counters counters) throws SpoolUnavailableException {
        return Spool.open(limits.directory(), limits.limit(), limits.threads(), limits.queue(), counters);
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

    /** Opened last, and if it cannot be, nothing is left open. */
    private Acceptor listen(Listen listen) throws IOException {
        try {
            return new Acceptor(
                    new InetSocketAddress(listen.host(), listen.port()),
                    listen.backlog(),
                    listen.sendBuffer(),
                    listen.receiveBuffer(),
                    this::adopt);
        } catch (IOException | RuntimeException e) {
            reactors.forEach(Reactor::stop);
            keeper.stop();
            closeSpool(e);
            throw e;
        }
    }

    public void start() {
        workers.start();
        reactors.forEach(Reactor::start);
        acceptor.start();
    }

    public InetSocketAddress address() throws IOException {
        return acceptor.address();
    }

    public Keeper keeper() {
        return keeper;
    }

    public RequestQueue queue() {
        return queue;
    }

    /** Bytes that large heads hold at this moment. */
    public long heldByHeads() {
        return service.heads().held();
    }

    public Spool spool() {
        return spool;
    }

    public SegmentPool pool() {
        return pool;
    }

    /**
     * Stops in order: no more connections; idle ones close, responses close theirs; what runs comes to its end, at most for
     * {@code patience}; then the rest is cut off.
     *
     * @throws InterruptedException if the thread was interrupted, which ends the patience; all the same everything has been stopped
     */
    public void stop(Duration patience) throws IOException, InterruptedException {
        try {
            letFinish(patience);
        } catch (InterruptedException e) {
            workers.stop(CUT_SHORT);
            throw e;
        } finally {
            cutOff();
        }
    }

    private void letFinish(Duration patience) throws IOException, InterruptedException {
        service.drain();
        acceptor.stop();
        for (Reactor reactor : reactors) {
            reactor.forEachHandler(Http1Transport::drain);
        }
        long deadline = System.nanoTime() + patience.toNanos();
        workers.stop(patience);
        awaitConnections(deadline);
    }

    private void cutOff() throws IOException, InterruptedException {
        for (int left = connections.get(); left > 0; left--) {
            service.reached(Key.SHUTDOWN_TIMEOUT);
        }
        keeper.stop();
        for (Reactor reactor : reactors) {
            reactor.stop();
        }
        for (Reactor reactor : reactors) {
            reactor.join();
        }
        spool.close();
    }

    private void closeSpool(Exception cause) {
        try {
            spool.close();
        } catch (IOException e) {
            cause.addSuppressed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cause.addSuppressed(e);
        }
    }

    /** What the workers have left to the reactors is on its way to clients of any speed. */
    private void awaitConnections(long deadline) throws InterruptedException {
        synchronized (connections) {
            for (long left = deadline - System.nanoTime(); left > 0 && connections.get() > 0; ) {
                connections.wait(Math.max(1, left / 1_000_000)); // for the reactors: the last connection has closed
                left = deadline - System.nanoTime();
            }
        }
    }

    private void connectionClosed() {
        if (connections.decrementAndGet() == 0) {
            synchronized (connections) {
                connections.notifyAll(); // stop(): there is none left
            }
        }
    }

    private static void drain(LinkHandler handler) {
        if (handler instanceof Http1Connection connection) {
            connection.drainSoon();
        }
    }

    /** Thread: the acceptor. A connection never changes its reactor. */
    private void adopt(SocketChannel channel) throws IOException {
        if (connections.incrementAndGet() > maxConnections) {
            connectionClosed();
            service.reached(Key.MAX_CONNECTIONS);
            channel.close();
            return;
        }
        UnfinishedBodies bodies = unfinished.get(nextReactor);
        reactors.get(nextReactor).adopt(channel, link -> service.open(link, bodies));
        nextReactor = (nextReactor + 1) % reactors.size();
    }
}
