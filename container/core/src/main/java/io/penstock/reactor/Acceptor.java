package io.penstock.reactor;

import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Listen;
import io.penstock.limits.ListenPlace;
import io.penstock.memory.Rounds;
import io.penstock.time.Clock;
import io.penstock.time.RateLimitedLog;
import io.penstock.time.TimerWheel;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections at all addresses of a server and hands them on. It runs on a reactor's thread. A separate thread would be woken for
 * each new connection, and would then wake a reactor; this costs more than accepting itself.
 *
 * <pre>
 *   ACCEPTING --receiver has no room--> FULL --it has again--> ACCEPTING
 *       |  ^
 *       |  +--the reserve of descriptors is free again-- SHORT, which looks every 100 ms
 *       +--accepting fails--> SHORT
 *   any --stop--> takes what the kernel has connected already, and ends: ENDED
 * </pre>
 *
 * <p>Thread: its reactor; the constructor, {@link #start} and {@link #stop}: the owner. Owns the listening sockets and the {@link
 * DescriptorReserve}. When descriptors or memory run out, connected clients are still served, and the kernel holds the others.
 */
public final class Acceptor implements Reactor.Watch {
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
    private static final long PAUSE_MILLIS = 100;
    private static final long REACTOR_CHECK_MILLIS = 100;
    private static final Duration BETWEEN_COMPLAINTS = Duration.ofMinutes(1);

    /** The most connections accepted in a row at one address while clients wait at another, or while connected clients wait. */
    private static final int IN_A_ROW = 64;

    /** Whether there is room for connections, at any address. Thread: the acceptor's; nothing here blocks. */
    @FunctionalInterface
    public interface Room {

        /**
         * Returns whether one more connection may be accepted. If not, {@code again} runs, on any thread, as soon as a connection may be
         * accepted.
         */
        boolean hasRoom(Runnable again);
    }

    /** The destination of connections. Thread: the acceptor's; nothing here blocks. */
    public interface Receiver {

        /** Takes over a connection, which is non-blocking and configured. If this throws, {@link #close} follows. */
        void accept(SocketChannel channel) throws IOException;

        /** Closes a connection that could not be handed on: its client had disconnected already, or no memory was left for it. */
        void close(SocketChannel channel, Throwable cause);
    }

    /**
     * A place at which clients connect.
     *
     * @param receiver takes its connections
     */
    public record Endpoint(ListenPlace place, Receiver receiver) {}

    private enum State {
        ACCEPTING,
        FULL,
        SHORT,
        ENDED
    }

    private final List<ListeningSocket> sockets = new ArrayList<>();
    private final Reactor reactor;
    private final Room room;
    private final Counters counters;
    private final Rounds rounds;
    private final Runnable roomAgain = this::roomAgain;
    private final AtomicBoolean asked = new AtomicBoolean();
    private final DescriptorReserve reserve = new DescriptorReserve();
    private final RateLimitedLog complaints = new RateLimitedLog(Clock.SYSTEM, BETWEEN_COMPLAINTS);
    private final TimerWheel.Timer pause = new TimerWheel.Timer() {
        @Override
        protected void expired() {
            next();
        }
    };

    /** Accepts, since there is room again. This command is made once, and is in the queue at most once. So adding it needs no memory. */
    private final CommandQueue.Command goOn = new CommandQueue.Command() {
        @Override
        void run() {
            asked.set(false);
            next();
        }
    };

    // The reserve of descriptors is taken before the first accept.
    private State state = State.SHORT;
    private int turn; // index of the socket that accepts next
    private boolean more; // whether the kernel may hold further connections
    private boolean complained;
    // Used by the owner's thread only.
    private boolean started;

    /**
     * Binds all addresses, in this order; accepting starts with {@link #start}.
     *
     * @param reactor whose thread accepts
     * @param room shared by all endpoints
     * @throws ListenException if an address cannot be bound; then no address stays bound
     */
    public Acceptor(
            Reactor reactor, List<Endpoint> endpoints, Listen limits, Room room, Counters counters, Rounds rounds)
            throws ListenException {
        this.reactor = reactor;
        this.room = room;
        this.counters = counters;
        this.rounds = rounds;
        try {
            for (Endpoint endpoint : endpoints) {
                sockets.add(ListeningSocket.open(endpoint, limits));
            }
        } catch (ListenException | RuntimeException e) {
            closeAll();
            throw e;
        }
    }

    /** The addresses that are listened on, in the order of the endpoints, with the ports that the system has chosen. */
    public List<SocketAddress> addresses() {
        return sockets.stream().map(ListeningSocket::address).toList();
    }

    /** The reactor has started. */
    public void start() {
        started = true;
        reactor.execute(this::begin);
    }

    private void begin() {
        try {
            for (ListeningSocket socket : sockets) {
                socket.register(reactor, this);
            }
            next();
        } catch (IOException e) {
            LOG.error("The server cannot accept connections", e);
        }
    }

    /**
     * Accepts the connections that the kernel already holds, and stops listening. An inherited socket stays open until the process ends:
     * later connections wait there for the next process.
     */
    public void stop() throws InterruptedException {
        removeFiles(); // first: otherwise later clients could connect and would not be served
        if (started) {
            CountDownLatch ended = new CountDownLatch(1);
            reactor.execute(() -> end(ended));
            boolean ends = ended.await(REACTOR_CHECK_MILLIS, TimeUnit.MILLISECONDS); // for the reactor
            while (!ends && reactor.isAlive()) {
                ends = ended.await(REACTOR_CHECK_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
        closeAll(); // closes the rest if the server could not start, or if the reactor has failed
    }

    private void end(CountDownLatch ended) {
        try {
            sockets.forEach(ListeningSocket::unregister); // so that closing does not wait for the selector
            reactor.releaseClosed();
            do {
                next();
            } while (state == State.ACCEPTING && more);
            for (ListeningSocket socket : sockets) {
                closeWhenEmpty(socket);
            }
        } catch (IOException e) {
            LOG.warn("Connections that arrived during the stop may be lost", e);
        } finally {
            state = State.ENDED;
            reactor.wheel().remove(pause);
            close();
            ended.countDown();
        }
    }

    /**
     * The kernel resets a connection that comes between the last accept and the close, and a proxy does not repeat a {@code POST} then.
     * So no other code runs between these two calls. Even a lambda expression takes a millisecond when it first runs.
     */
    private void closeWhenEmpty(ListeningSocket socket) throws IOException {
        while (room.hasRoom(roomAgain)) {
            SocketChannel channel = socket.accept();
            if (channel == null) {
                break;
            }
            handOn(socket, channel);
        }
        socket.close();
    }

    @Override
    public void onReady(int operations) {
        next();
    }

    private void roomAgain() {
        if (asked.compareAndSet(false, true)) {
            reactor.commands().add(goOn); // the acceptor: there is room again
        }
    }

    private void next() {
        if (state == State.ENDED) {
            return;
        }
        try {
            if (state == State.SHORT) {
                reserve.take();
            }
            state = acceptSome();
        } catch (Throwable e) {
            state = State.SHORT;
            failed(e);
            reactor.wheel().set(pause, reactor.now() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
        }
        for (ListeningSocket socket : sockets) {
            socket.wantConnections(state == State.ACCEPTING);
        }
    }

    /** Accepts connections that the kernel holds, as long as there is room. Several addresses take turns. */
    private State acceptSome() throws IOException {
        more = false;
        int inARow = 0;
        int empty = 0;
        for (int all = 0; empty < sockets.size(); all++) {
            if (!room.hasRoom(roomAgain)) {
                return State.FULL;
            }
            if (all == IN_A_ROW * sockets.size()) {
                // Connected clients have their turn first. Then the selector reports the waiting connections again, in
                // the
                // next round.
                more = true;
                break;
            }
            ListeningSocket socket = sockets.get(turn);
            SocketChannel channel = socket.accept();
            if (channel != null) {
                empty = 0;
                handOn(socket, channel);
            } else {
                empty++;
            }
            if (channel == null || ++inARow == IN_A_ROW) {
                inARow = 0;
                turn = (turn + 1) % sockets.size();
            }
        }
        goesOn();
        return State.ACCEPTING;
    }

    private static void handOn(ListeningSocket socket, SocketChannel channel) {
        try {
            socket.handOn(channel);
        } catch (IOException e) {
            // The client has disconnected already. The listening socket is not affected, so accepting continues.
            socket.closeAccepted(channel, e);
        } catch (RuntimeException | Error e) {
            socket.closeAccepted(channel, e);
            throw e;
        }
    }

    private void failed(Throwable cause) {
        reserve.release();
        rounds.memory().met(cause);
        counters.increment(Counter.ACCEPT_FAILURES);
        long times = complaints.happened();
        if (times > 0) {
            complained = true;
            LOG.warn(
                    "New connections cannot be accepted ({} failures since the last message); the server tries"
                            + " again every {} ms. Connected clients are served: {}",
                    times,
                    PAUSE_MILLIS,
                    String.valueOf(cause));
        }
    }

    private void goesOn() {
        if (complained) {
            complained = false;
            LOG.info("Connections are accepted again");
        }
    }

    private void closeAll() {
        removeFiles();
        close();
    }

    private void removeFiles() {
        sockets.forEach(socket -> closeQuietly(socket::removeFile));
    }

    private void close() {
        sockets.forEach(socket -> closeQuietly(socket::close));
        reserve.release();
    }

    /** A socket that fails to close must not prevent the close of the others. */
    private static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            LOG.warn("A listener was not closed cleanly", e);
        }
    }
}
