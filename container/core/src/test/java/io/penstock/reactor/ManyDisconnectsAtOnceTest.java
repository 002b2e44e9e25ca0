package io.penstock.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.ConnectionEvents;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.time.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Hundreds of clients disconnect at the same moment. The reactor (a selector thread) must serve another client before it has closed all
 * these connections.
 */
final class ManyDisconnectsAtOnceTest {
    private static final int DISCONNECTING = 400;

    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicInteger onClosedCalls = new AtomicInteger();
    private final AtomicInteger closedBeforeTheRead = new AtomicInteger(-1);
    private final CountDownLatch allOnClosedCalled = new CountDownLatch(DISCONNECTING);
    private final CountDownLatch connectedClientServed = new CountDownLatch(1);
    private final CountDownLatch handlersMade = new CountDownLatch(DISCONNECTING + 1);
    private final List<SocketChannel> clients = new ArrayList<>();
    private Reactor reactor;

    /** The handler of one connection. When the handler reads bytes, it records how many other connections have been closed. */
    private final class Conversation implements LinkHandler {
        private final Link link;

        Conversation(Link link) {
            this.link = link;
            handlersMade.countDown();
        }

        @Override
        public void onReadable() throws IOException {
            if (link.read(link.reactor().readBuffer()) > 0) {
                closedBeforeTheRead.set(closed.get());
                connectedClientServed.countDown();
            }
        }

        @Override
        public void onWritable() {}

        @Override
        public void onSignals(int bits) {}

        @Override
        public void onClosed(ConnectionClosed cause) {
            onClosedCalls.incrementAndGet();
            allOnClosedCalled.countDown();
        }
    }

    @BeforeEach
    void connectAllClients() throws Exception {
        reactor = new Reactor("reactor", Clock.SYSTEM, ConnectionEvents.NONE, new Counters(), 1024, Rounds.unwatched());
        reactor.start();
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            for (int i = 0; i <= DISCONNECTING; i++) {
                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                client.setOption(StandardSocketOptions.SO_LINGER, 0); // the close of this client is a reset
                clients.add(client);
                SocketChannel accepted = server.accept();
                accepted.configureBlocking(false);
                reactor.adopt(accepted, Conversation::new, closed::incrementAndGet);
            }
        }
        assertTrue(handlersMade.await(60, TimeUnit.SECONDS));
    }

    @AfterEach
    void end() throws Exception {
        for (SocketChannel client : clients) {
            client.close();
        }
        reactor.stop();
        reactor.join();
    }

    /** Blocks the reactor while all clients except one disconnect. So the reactor sees all disconnections at once. */
    private void disconnectWhileTheReactorIsBusy(Runnable atTheEnd) throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        reactor.execute(() -> {
            busy.countDown();
            try {
                assertTrue(done.await(60, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertTrue(busy.await(60, TimeUnit.SECONDS));
        for (SocketChannel client : clients.subList(0, DISCONNECTING)) {
            client.close();
        }
        clients.get(DISCONNECTING).write(ByteBuffer.wrap(new byte[] {1}));
        atTheEnd.run();
        done.countDown();
    }

    @Test
    void aConnectedClientIsServedBeforeHalfOfTheDisconnectedClientsAreClosed() throws Exception {
        disconnectWhileTheReactorIsBusy(() -> {});
        assertTrue(connectedClientServed.await(60, TimeUnit.SECONDS));
        assertTrue(
                closedBeforeTheRead.get() < DISCONNECTING / 2,
                closedBeforeTheRead + " closed connections before the read");
        assertTrue(allOnClosedCalled.await(60, TimeUnit.SECONDS), "not all connections were closed");
        assertEquals(DISCONNECTING, closed.get());
    }

    @Test
    void aStoppingReactorClosesAllConnections() throws Exception {
        disconnectWhileTheReactorIsBusy(() -> reactor.stop());
        reactor.join();
        assertEquals(DISCONNECTING + 1, closed.get());
        assertEquals(DISCONNECTING + 1, onClosedCalls.get());
    }
}
