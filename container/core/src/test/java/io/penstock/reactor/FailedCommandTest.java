package io.penstock.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.ConnectionEvents;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.time.Clock;
import io.penstock.time.TimerWheel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks that a reactor (a selector thread) continues after an exception in a command, in a timer or in a handler. */
final class FailedCommandTest {
    private Reactor reactor;

    @BeforeEach
    void start() throws IOException {
        reactor = new Reactor("reactor", Clock.SYSTEM, ConnectionEvents.NONE, new Counters(), 1024, Rounds.unwatched());
        reactor.start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        reactor.stop();
        reactor.join();
    }

    private void assertContinues() throws InterruptedException {
        CountDownLatch next = new CountDownLatch(1);
        reactor.execute(next::countDown);
        assertTrue(next.await(60, TimeUnit.SECONDS), "the reactor has ended");
    }

    @Test
    void theReactorContinuesAfterACommandThatThrows() throws Exception {
        reactor.execute(() -> {
            throw new OutOfMemoryError("thrown by the test");
        });
        assertContinues();
    }

    @Test
    void theReactorContinuesAfterATimerThatThrows() throws Exception {
        for (int i = 0; i < 3; i++) {
            reactor.execute(() -> {
                throw new StackOverflowError("thrown by the test");
            });
            reactor.execute(() -> reactor.wheel()
                    .set(
                            new TimerWheel.Timer() {
                                @Override
                                protected void expired() {
                                    throw new OutOfMemoryError("thrown by the test");
                                }
                            },
                            reactor.now()));
        }
        CountDownLatch later = new CountDownLatch(1);
        reactor.execute(() -> reactor.wheel()
                .set(
                        new TimerWheel.Timer() {
                            @Override
                            protected void expired() {
                                later.countDown();
                            }
                        },
                        reactor.now()));
        assertTrue(later.await(60, TimeUnit.SECONDS), "the last timer has not expired");
        assertContinues();
    }

    /**
     * For one connection, no memory is left to make the handler. For another connection, the handler fails at the first byte. Both
     * connections must be closed.
     */
    @Test
    void connectionsAreClosedAfterAnOutOfMemoryError() throws Exception {
        CountDownLatch closed = new CountDownLatch(2);
        try (ServerSocketChannel server =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel first = SocketChannel.open(server.getLocalAddress());
                SocketChannel second = SocketChannel.open(server.getLocalAddress())) {
            reactor.adopt(
                    nonBlocking(server.accept()),
                    link -> {
                        throw new OutOfMemoryError("thrown by the test");
                    },
                    closed::countDown);
            reactor.adopt(nonBlocking(server.accept()), link -> new Failing(), closed::countDown);
            second.write(ByteBuffer.wrap(new byte[1]));
            assertTrue(closed.await(60, TimeUnit.SECONDS));
            assertEquals(-1, first.read(ByteBuffer.allocate(1)));
            assertContinues();
        }
    }

    private static SocketChannel nonBlocking(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        return channel;
    }

    /** A handler that throws an OutOfMemoryError in all calls. */
    private static final class Failing implements LinkHandler {
        @Override
        public void onReadable() {
            throw new OutOfMemoryError("thrown by the test");
        }

        @Override
        public void onWritable() {
            throw new OutOfMemoryError("thrown by the test");
        }

        @Override
        public void onSignals(int bits) {
            throw new OutOfMemoryError("thrown by the test");
        }

        @Override
        public void onClosed(ConnectionClosed cause) {
            throw new OutOfMemoryError("thrown by the test");
        }
    }

    /** The channel of this test is in blocking mode, and such a channel cannot be registered with a selector. */
    @Test
    void aConnectionIsClosedIfItCannotBeRegistered() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        try (ServerSocketChannel server =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel client = SocketChannel.open(server.getLocalAddress())) {
            reactor.adopt(
                    server.accept(),
                    link -> {
                        throw new AssertionError("the reactor has made a handler");
                    },
                    closed::countDown);
            assertTrue(closed.await(60, TimeUnit.SECONDS));
            assertEquals(-1, client.read(ByteBuffer.allocate(1)));
            assertContinues();
        }
    }
}
