package io.penstock.reactor;

import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Listen;
import io.penstock.memory.Rounds;
import io.penstock.time.Clock;
import io.penstock.time.RateLimitedLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that accepts connections and hands them on. The select is the only place where it waits.
 *
 * <pre>
 *   ACCEPTING --receiver has no room--> FULL --it has again--> ACCEPTING
 *       |  ^
 *       |  +--the reserve of descriptors is free again-- SHORT, which looks every 100 ms
 *       +--accepting fails--> SHORT
 *   any --stop--> takes what the kernel has connected already, and ends
 * </pre>
 *
 * <p>Thread: its own, but for the constructor, {@link #start} and {@link #stop}, which are the owner's. Owns the listening socket and the
 * {@link DescriptorReserve}. When descriptors or memory run out, those who are connected are served, and the kernel holds the others.
 */
public final class Acceptor implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
    private static final long PAUSE_MILLIS = 100;
    private static final Duration BETWEEN_COMPLAINTS = Duration.ofMinutes(1);

    /** Where connections go. Thread: the acceptor; nothing here blocks. */
    public interface Receiver {

        /** Whether one more may be accepted; if not, {@code again} is run, by any thread, when it may be. */
        boolean hasRoom(Runnable again);

        /** Takes a connection over, non-blocking and configured; if it throws, the connection is closed. */
        void accept(SocketChannel channel) throws IOException;
    }

    private enum State {
        ACCEPTING,
        FULL,
        SHORT
    }

    private final ServerSocketChannel server;
    private final Selector selector;
    private final SelectionKey key;
    private final int sendBuffer;
    private final Receiver receiver;
    private final Counters counters;
    private final Rounds rounds;
    private final Runnable roomAgain;
    private final DescriptorReserve reserve = new DescriptorReserve();
    private final RateLimitedLog complaints = new RateLimitedLog(Clock.SYSTEM, BETWEEN_COMPLAINTS);
    private final Thread thread;

    private State state = State.SHORT; // until the reserve is held
    private boolean complained;
    private volatile boolean stopping;

    /**
     * Binds; accepting starts with {@link #start}.
     *
     * @param prefix what the name of the thread begins with
     * @param rounds guard its thread
     * @throws IOException if the address cannot be bound
     */
    public Acceptor(Listen listen, Counters counters, Receiver receiver, String prefix, Rounds rounds)
            throws IOException {
        this.thread = new Thread(this, prefix + "acceptor");
        this.sendBuffer = listen.sendBuffer();
        this.counters = counters;
        this.rounds = rounds;
        this.receiver = receiver;
        this.server = ServerSocketChannel.open();
        try {
            bind(server, listen);
            server.configureBlocking(false);
            this.selector = Selector.open();
            this.key = server.register(selector, 0);
            this.roomAgain = selector::wakeup; // the acceptor: there is room again
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private static void bind(ServerSocketChannel server, Listen listen) throws IOException {
        server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        if (listen.receiveBuffer() > 0) {
            // Inherited by what is accepted, so that the window is right from the beginning.
            server.setOption(StandardSocketOptions.SO_RCVBUF, listen.receiveBuffer());
        }
        server.bind(new InetSocketAddress(listen.host(), listen.port()), listen.backlog());
    }

    public InetSocketAddress address() throws IOException {
        return (InetSocketAddress) server.getLocalAddress();
    }

    public void start() {
        thread.start();
    }

    /** Takes what the kernel has connected already, stops listening, and waits for the thread. */
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
            key.interestOps(state == State.ACCEPTING ? SelectionKey.OP_ACCEPT : 0);
            // Woken by a connection, by room, by stop; a want of descriptors ends by the timeout.
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

    /** Accepts what the kernel holds, as long as there is room. */
    private State acceptAll() throws IOException {
        while (receiver.hasRoom(roomAgain)) {
            SocketChannel channel = server.accept();
            if (channel == null) {
                goesOn();
                return State.ACCEPTING;
            }
            handOn(channel);
        }
        return State.FULL;
    }

    private void handOn(SocketChannel channel) throws IOException {
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            if (sendBuffer > 0) {
                channel.setOption(StandardSocketOptions.SO_SNDBUF, sendBuffer);
            }
            receiver.accept(channel);
        } catch (IOException e) {
            // That client has gone already; the listener is fine.
            LOG.debug("A connection ended before it was handed on", e);
            channel.close();
        } catch (RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    private void failed(Throwable cause) {
        reserve.letGo();
        rounds.memory().met(cause);
        counters.increment(Counter.ACCEPT_FAILURES);
        long times = complaints.happened();
        if (times > 0) {
            complained = true;
            LOG.warn(
                    "Accepting has failed ({} since this was last said), and is tried again every {} ms; who is connected is"
                            + " served: {}",
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
        reserve.letGo();
        try {
            selector.close();
            server.close();
        } catch (IOException e) {
            LOG.warn("The port was not closed cleanly", e);
        }
    }
}
