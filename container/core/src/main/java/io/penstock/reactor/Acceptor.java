package io.penstock.reactor;

import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Listen;
import io.penstock.memory.Rounds;
import io.penstock.time.Clock;
import io.penstock.time.RateLimitedLog;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that accepts connections at all addresses of a server and hands them on. The select is the only place where it waits.
 *
 * <pre>
 *   ACCEPTING --receiver has no room--> FULL --it has again--> ACCEPTING
 *       |  ^
 *       |  +--the reserve of descriptors is free again-- SHORT, which looks every 100 ms
 *       +--accepting fails--> SHORT
 *   any --stop--> takes what the kernel has connected already, and ends
 * </pre>
 *
 * <p>Thread: its own, but for the constructor, {@link #start} and {@link #stop}, which are the owner's. Owns the listening sockets and the
 * {@link DescriptorReserve}. When descriptors or memory run out, connected clients are still served, and the kernel holds the others.
 */
public final class Acceptor implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
    private static final long PAUSE_MILLIS = 100;
    private static final Duration BETWEEN_COMPLAINTS = Duration.ofMinutes(1);

    /** The most connections accepted in a row at one address while clients wait at another. */
    private static final int IN_A_ROW = 64;

    /** Whether there is room for connections, at any address. Thread: the acceptor; nothing here blocks. */
    @FunctionalInterface
    public interface Room {

        /** Returns whether one more connection may be accepted. If not, {@code again} runs, on any thread, as soon as one may be. */
        boolean hasRoom(Runnable again);
    }

    /** Where connections go. Thread: the acceptor; nothing here blocks. */
    public interface Receiver {

        /** Takes over a connection, which is non-blocking and configured. If this throws, {@link #close} follows. */
        void accept(SocketChannel channel) throws IOException;

        /** Closes a connection that could not be handed on: its client had gone already, or no memory was left for it. */
        void close(SocketChannel channel, Throwable cause);
    }

    /**
     * An address at which clients connect.
     *
     * @param address a network address, whose port 0 takes a free port; or a Unix domain socket, whose file must not exist
     * @param receiver takes its connections
     */
    public record Endpoint(SocketAddress address, Receiver receiver) {}

    private enum State {
        ACCEPTING,
        FULL,
        SHORT
    }

    private final List<ListeningSocket> sockets = new ArrayList<>();
    private final Selector selector;
    private final Room room;
    private final Counters counters;
    private final Rounds rounds;
    private final Runnable roomAgain;
    private final DescriptorReserve reserve = new DescriptorReserve();
    private final RateLimitedLog complaints = new RateLimitedLog(Clock.SYSTEM, BETWEEN_COMPLAINTS);
    private final Thread thread;

    private State state = State.SHORT; // until the reserve is held
    private int turn; // index of the socket that accepts next
    private boolean complained;
    private volatile boolean stopping;

    /**
     * Binds all addresses, in this order; accepting starts with {@link #start}.
     *
     * @param room shared by all endpoints
     * @param prefix the beginning of the thread's name
     * @param rounds guard its thread
     * @throws ListenException if an address cannot be bound; then none of them is
     * @throws IOException if the system has no selector left
     */
    public Acceptor(List<Endpoint> endpoints, Listen limits, Room room, Counters counters, String prefix, Rounds rounds)
            throws IOException {
        this.thread = new Thread(this, prefix + "acceptor");
        this.room = room;
        this.counters = counters;
        this.rounds = rounds;
        this.selector = Selector.open();
        this.roomAgain = selector::wakeup; // the acceptor: there is room again
        try {
            for (Endpoint endpoint : endpoints) {
                sockets.add(ListeningSocket.bind(endpoint, limits, selector));
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** The addresses that are listened on, in the order of the endpoints, with the ports that the system has chosen. */
    public List<SocketAddress> addresses() {
        return sockets.stream().map(ListeningSocket::address).toList();
    }

    public void start() {
        thread.start();
    }

    /** Accepts the connections that the kernel already holds, stops listening, and waits for the thread to end. */
    public void stop() throws InterruptedException {
        stopping = true;
        if (thread.getState() == Thread.State.NEW) {
            close(); // a server that could not start
        } else {
            selector.wakeup();
            thread.join();
        }
    }

    @Override
    public void run() {
        try {
            next();
            rounds.repeat("A round of the acceptor failed; it goes on", this::listens, this::round);
            next(); // stop() may have come since the kernel was asked last
        } finally {
            close();
        }
    }

    private boolean listens() {
        return !stopping;
    }

    private void round() {
        try {
            for (ListeningSocket socket : sockets) {
                socket.wantConnections(state == State.ACCEPTING);
            }
            // Woken by a connection, by room, or by stop. While descriptors are short, the timeout ends the wait.
            selector.select(ready -> {}, state == State.SHORT ? PAUSE_MILLIS : 0);
        } catch (IOException | ClosedSelectorException | CancelledKeyException e) {
            stopping = true;
            LOG.error("The acceptor cannot wait for connections any more and ends", e);
            return;
        }
        next();
    }

    private void next() {
        try {
            if (state == State.SHORT) {
                reserve.take();
            }
            state = acceptAll();
        } catch (Throwable e) {
            state = State.SHORT;
            failed(e);
        }
    }

    /** Accepts the connections that the kernel holds, as long as there is room. Several addresses take turns. */
    private State acceptAll() throws IOException {
        int inARow = 0;
        for (int empty = 0; empty < sockets.size(); ) {
            if (!room.hasRoom(roomAgain)) {
                return State.FULL;
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
            socket.closeAccepted(channel, e); // that client has gone already; the listener is fine
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
                    "Accepting has failed ({} since this was last said), and is tried again every {} ms; connected"
                            + " clients are served: {}",
                    times,
                    PAUSE_MILLIS,
                    String.valueOf(cause));
        }
    }

    private void goesOn() {
        if (complained) {
            complained = false;
            LOG.info("Accepting goes on");
        }
    }

    private void close() {
        reserve.release();
        closeQuietly(selector);
        sockets.forEach(socket -> closeQuietly(socket::close));
    }

    /** A socket that fails to close must not keep the others open. */
    private static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            LOG.warn("A listener was not closed cleanly", e);
        }
    }
}
