package io.penstock.experiments.transactions;

import io.penstock.time.Clock;
import io.penstock.time.TimerWheel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;

/**
 * A server that simulates a slow third party. It answers each call after a delay, which does not depend on the number of calls. It supports
 * only {@code GET /call/NUMBER}.
 *
 * <p>Thread: the thread that calls {@link #run}, which waits only in the selector; any thread for {@link #wakeUp} and {@link #close}. Owns:
 * the selector, all connections, and the timers of the answers.
 */
final class DelayServer implements AutoCloseable {
    private static final int BACKLOG = 4096;
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int WHEEL = 8192;

    private enum State {
        OPEN,
        STOPPING
    }

    private final Clock clock;
    private final LongUnaryOperator delayOfCall;
    private final byte[] answer;
    private final Selector selector;
    private final ServerSocketChannel listener;
    private final TimerWheel wheel;
    private volatile State state = State.OPEN;

    /**
     * @param port the port on the loopback address; with 0 a free port is taken
     * @param delayOfCall a function that returns the delay of the answer to the call with the given number, in nanoseconds
     */
    DelayServer(int port, LongUnaryOperator delayOfCall, int answerBytes, Clock clock) throws IOException {
        this.clock = clock;
        this.delayOfCall = delayOfCall;
        this.answer = DelayedCall.answer(answerBytes);
        this.wheel = new TimerWheel(clock.nanos(), TICK, WHEEL);
        this.selector = Selector.open();
        this.listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    int port() {
        return listener.socket().getLocalPort();
    }

    /** Serves calls until the server is closed. */
    void run() throws IOException {
        try {
            while (state == State.OPEN) {
                select();
                for (SelectionKey key : selector.selectedKeys()) {
                    onReady(key);
                }
                selector.selectedKeys().clear();
                wheel.advance(clock.nanos());
            }
        } finally {
            end();
        }
    }

    /** Wakes the server, so that it reads the clock again. */
    void wakeUp() {
        selector.wakeup();
    }

    @Override
    public void close() {
        state = State.STOPPING;
        selector.wakeup();
    }

    /** Schedules the answer to the call with the given number. */
    void schedule(TimerWheel.Timer answer, long call) {
        wheel.set(answer, clock.nanos() + delayOfCall.applyAsLong(call));
    }

    void forget(TimerWheel.Timer answer) {
        wheel.remove(answer);
    }

    ByteBuffer answer() {
        return ByteBuffer.wrap(answer);
    }

    private void select() throws IOException {
        long nanos = wheel.nanosToNext(clock.nanos());
        if (nanos == 0) {
            selector.selectNow();
        } else if (nanos == Long.MAX_VALUE) {
            selector.select();
        } else {
            // The time is rounded up to whole milliseconds. Without this, the loop would not sleep in the last
            // millisecond before a deadline.
            selector.select(TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
        }
    }

    private void onReady(SelectionKey key) throws IOException {
        try {
            if (key.isAcceptable()) {
                accept();
            } else {
                ((DelayedCall) key.attachment()).onReady();
            }
        } catch (CancelledKeyException closedInThisRound) {
            assert !key.isValid() : closedInThisRound;
        }
    }

    private void accept() throws IOException {
        for (SocketChannel channel = listener.accept(); channel != null; channel = listener.accept()) {
            DelayedCall.on(channel, this, selector);
        }
    }

    private void end() throws IOException {
        try (selector;
                listener) {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        }
    }
}
