package io.penstock.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.ConnectionEvents;
import io.penstock.limits.Counters;
import io.penstock.time.Clock;
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

/** Whatever fails in a command from outside, the reactor goes on. */
final class FailedCommandTest {
    private Reactor reactor;

    @BeforeEach
    void start() throws IOException {
        reactor = new Reactor("reactor-that-goes-on", Clock.SYSTEM, ConnectionEvents.NONE, new Counters(), 1024);
        reactor.start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        reactor.stop();
        reactor.join();
    }

    private void assertGoesOn() throws InterruptedException {
        CountDownLatch next = new CountDownLatch(1);
        reactor.execute(next::countDown);
        assertTrue(next.await(60, TimeUnit.SECONDS), "the reactor has ended");
    }

    @Test
    void commandThatThrows() throws Exception {
        reactor.execute(() -> {
            throw new OutOfMemoryError("on purpose");
        });
        assertGoesOn();
    }

    /** A channel that blocks cannot be registered. */
    @Test
    void connectionThatCannotBeRegisteredIsClosed() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        try (ServerSocketChannel server =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel client = SocketChannel.open(server.getLocalAddress())) {
            reactor.adopt(
                    server.accept(),
                    link -> {
                        throw new AssertionError("it has no link");
                    },
                    closed::countDown);
            assertTrue(closed.await(60, TimeUnit.SECONDS));
            assertEquals(-1, client.read(ByteBuffer.allocate(1)));
            assertGoesOn();
        }
    }
}
