package io.penstock.reactor;

import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Listen;
import io.penstock.limits.ListenAddress.BindAddress;
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
 * Accepts connections at all addresses of a server, and passes each connection to a {@link Receiver}. The acceptor runs on the thread of a
 * {@link Reactor}. If the acceptor had its own thread, each new connection would wake two threads: the acceptor and then a reactor. Two
 * wake-ups cost more than the accept itself.
 *
 * <pre>
 *   ACCEPTING --no room--> FULL --room again--> ACCEPTING
 *       |  ^
 *       |  +--the reserve of descriptors is free again-- SHORT: checks the reserve every 100 ms
 *       +--accepting fails--> SHORT
 *   any state --stop--> accepts the connections that the kernel already holds --> ENDED
 * </pre>
 *
 * <p>Thread: the reactor. The owner of the acceptor calls the constructor, {@link #start} and {@link #stop}. The acceptor owns the
 * listening sockets and the {@link DescriptorReserve}. When descriptors or memory run out, the server continues to serve connected clients.
 * New connections wait in the queue of the kernel.
 */
public final class Acceptor implements Reactor.Watch {
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
    private static final long PAUSE_MILLIS = 100;
    private static final long REACTOR_CHECK_MILLIS = 100;
    private static final Duration BETWEEN_COMPLAINTS = Duration.ofMinutes(1);

    /**
     * The maximum number of connections that are accepted in a row at one address. Then the acceptor continues with the next address, or
     * the reactor serves the connected clients.
     */
    private static final int IN_A_ROW = 64;

    /**
     * Limits the number of connections, for all addresses together. The acceptor calls this interface on its thread; no method may block.
     */
    @FunctionalInterface
    public interface Room {

        /**
         * Returns whether the acceptor may accept one more connection. If the result is false, the implementation runs {@code again} as
         * soon as the acceptor may accept a connection. It can run {@code again} on any thread.
         */
        boolean hasRoom(Runnable again);
    }

    /** Takes over accepted connections. The acceptor calls this interface on its thread; no method may block. */
    public interface Receiver {

        /**
         * Takes over a connection. The channel is non-blocking, and its socket options are set. If this method throws an exception, the
         * acceptor calls {@link #close} for the channel.
         */
        void accept(SocketChannel channel) throws IOException;

        /** Closes a connection that {@link #accept} did not take over. The client had already disconnected, or no memory was left. */
        void close(SocketChannel channel, Throwable cause);
    }

    /**
     * An address at which clients connect.
     *
     * @param receiver takes over the connections that clients make at this address
     */
    public record Endpoint(BindAddress address, Receiver receiver) {}

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
    private final Runnable roomAgain = this::onRoom;
    private final Runnable acceptAgain = this::next;
    private final Runnable napForBytes = this::napForBytes;
    private final AtomicBoolean asked = new AtomicBoolean();
    private final DescriptorReserve reserve = new DescriptorReserve();
    private final RateLimitedLog complaints = new RateLimitedLog(Clock.SYSTEM, BETWEEN_COMPLAINTS);
    private final TimerWheel.Timer pause = new TimerWheel.Timer() {
        @Override
        protected void expired() {
            next();
        }
    };

    /**
     * Accepts connections again after {@link Room} had no room. The command object is made once, and is in the queue at most once. So no
     * memory is needed to add the command.
     */
    private final CommandQueue.Command goOn = new CommandQueue.Command() {
        @Override
        void run() {
            asked.set(false);
            next();
        }
    };

    // In this state, the acceptor takes the reserve of descriptors before its first accept.
    private State state = State.SHORT;
    private int nextSocket; // the index of the socket that accepts next
    private boolean more; // whether the kernel possibly holds further connections
    private boolean complained;
    // Only the owner's thread uses this field.
    private boolean started;

    /**
     * Binds all addresses, in the order of the endpoints. The acceptor accepts connections after {@link #start}.
     *
     * @param reactor the reactor whose thread accepts connections
     * @param room the limit of connections for all endpoints together
     * @throws ListenException if an address cannot be bound. In this case all addresses are released
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

    /**
     * The addresses at which the server listens, in the order of the endpoints. If port 0 was configured, the address contains the port
     * that the system has chosen.
     */
    public List<SocketAddress> addresses() {
        return sockets.stream().map(ListeningSocket::address).toList();
    }

    /** Starts to accept connections. The owner calls this method after it has started the reactor. */
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
     * Accepts the connections that the kernel already holds, and stops listening. An inherited socket stays open until this process ends.
     * Later connections wait at that socket for the next process.
     */
    public void stop() throws InterruptedException {
        // The files are removed first. Otherwise more clients could connect, and no process would serve them.
        removeFiles();
        if (started) {
            CountDownLatch ended = new CountDownLatch(1);
            reactor.execute(() -> end(ended));
            boolean ends = ended.await(REACTOR_CHECK_MILLIS, TimeUnit.MILLISECONDS);
            while (!ends && reactor.isAlive()) {
                ends = ended.await(REACTOR_CHECK_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
        // This call closes sockets that are still open because the server could not start or the reactor has failed.
        closeAll();
    }

    private void end(CountDownLatch ended) {
        try {
            // Without these two calls, a closed socket would stay open until the selector runs again.
            sockets.forEach(ListeningSocket::unregister);
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
     * Accepts the remaining connections of a socket and closes the socket. The kernel resets a connection that arrives between the last
     * accept and the close. A proxy does not repeat a {@code POST} after such a reset. So this method calls the two operations directly
     * after each other. Even a lambda expression would take a millisecond at its first execution.
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

    private void onRoom() {
        if (asked.compareAndSet(false, true)) {
            reactor.commands().add(goOn);
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
            // Set first: failed() needs memory, and nothing else would lead to the next attempt.
            reactor.wheel().set(pause, reactor.now() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
            failed(e);
        }
        wantConnections(state == State.ACCEPTING);
        if (state == State.ACCEPTING && !more) {
            reactor.atEndOfRound(napForBytes);
        }
    }

    private void wantConnections(boolean wanted) {
        for (ListeningSocket socket : sockets) {
            socket.wantConnections(wanted);
        }
    }

    /**
     * If a client has just connected and has sent nothing, its first bytes will wake the reactor in a moment. Until then, or for a
     * millisecond, further clients that connect do not wake the reactor. So the reactor accepts the clients of a burst together, when more
     * of them have sent their requests. This saves wake-ups, which clients on the same machine pay for, too.
     */
    private void napForBytes() {
        if (state == State.ACCEPTING && reactor.awaitsFirstBytes()) {
            wantConnections(false);
            reactor.afterNap(acceptAgain);
        }
    }

    /**
     * Accepts connections that the kernel holds, as long as there is room. If the server listens at several addresses, it accepts some
     * connections at each address in turn.
     */
    private State acceptSome() throws IOException {
        more = false;
        int inARow = 0;
        int empty = 0;
        for (int all = 0; empty < sockets.size(); all++) {
            if (!room.hasRoom(roomAgain)) {
                return State.FULL;
            }
            if (all == IN_A_ROW * sockets.size()) {
                // Connected clients are served first. The selector reports the waiting connections again in the next
                // round.
                more = true;
                break;
            }
            ListeningSocket socket = sockets.get(nextSocket);
            SocketChannel channel = socket.accept();
            if (channel != null) {
                empty = 0;
                handOn(socket, channel);
            } else {
                empty++;
            }
            if (channel == null || ++inARow == IN_A_ROW) {
                inARow = 0;
                nextSocket = (nextSocket + 1) % sockets.size();
            }
        }
        resumed();
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

    private void resumed() {
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

    /** Closes a resource and logs a failure. A socket that fails to close must not prevent the close of the other sockets. */
    private static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            LOG.warn("A listener was not closed cleanly", e);
        }
    }
}
