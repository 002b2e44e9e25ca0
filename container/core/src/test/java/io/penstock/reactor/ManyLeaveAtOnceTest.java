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

/** Hundreds of clients disconnect at the same moment. The reactor must serve another client before it has closed all these connections. */
final class ManyLeaveAtOnceTest {
    private static final int LEAVING = 400;

    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicInteger toldClosed = new AtomicInteger();
    private final AtomicInteger closedBeforeTheOther = new AtomicInteger(-1);
    private final CountDownLatch allTold = new CountDownLatch(LEAVING);
    private final CountDownLatch otherServed = new CountDownLatch(1);
    private final CountDownLatch others = new CountDownLatch(LEAVING + 1);
    private final List<SocketChannel> clients = new ArrayList<>();
    private Reactor reactor;

    /** The handler of one connection. When it reads, it records how many other connections have been closed. */
    private final class Conversation implements LinkHandler {
        private final Link link;

        Conversation(Link link) {
            this.link = link;
            others.countDown();
        }

        @Override
        public void onReadable() throws IOException {
            if (link.read(link.reactor().readBuffer()) > 0) {
                closedBeforeTheOther.set(closed.get());
                otherServed.countDown();
            }
        }

        @Override
        public void onWritable() {}

        @Override
        public void onSignals(int bits) {}

        @Override
        public void onClosed(ConnectionClosed cause) {
            toldClosed.incrementAndGet();
            allTold.countDown();
        }
    }

    @BeforeEach
    void allAreConnected() throws Exception {
        reactor = new Reactor("reactor", Clock.SYSTEM, ConnectionEvents.NONE, new Counters(), 1024, Rounds.unwatched());
        reactor.start();
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            for (int i = 0; i <= LEAVING; i++) {
                SocketChannel client = SocketChannel.open(server.getLocalAddress());
                client.setOption(StandardSocketOptions.SO_LINGER, 0); // the close of this client is a reset
                clients.add(client);
                SocketChannel accepted = server.accept();
                accepted.configureBlocking(false);
                reactor.adopt(accepted, Conversation::new, closed::incrementAndGet);
            }
        }
        assertTrue(others.await(60, TimeUnit.SECONDS));
    }

    @AfterEach
    void end() throws Exception {
        for (SocketChannel client : clients) {
            client.close();
        }
        reactor.stop();
        reactor.join();
    }

    /** Blocks the reactor while all clients except one disconnect. So the reactor gets all disconnections in one round. */
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
        for (SocketChannel client : clients.subList(0, LEAVING)) {
            client.close();
        }
        clients.get(LEAVING).write(ByteBuffer.wrap(new byte[] {1}));
        atTheEnd.run();
        done.countDown();
    }

    @Test
    void aConnectedClientIsServedBeforeAllDisconnectedClientsAreClosed() throws Exception {
        disconnectWhileTheReactorIsBusy(() -> {});
        assertTrue(otherServed.await(60, TimeUnit.SECONDS));
        assertTrue(closedBeforeTheOther.get() < LEAVING / 2, closedBeforeTheOther + " were closed before");
        assertTrue(allTold.await(60, TimeUnit.SECONDS), "not all connections were closed");
        assertEquals(LEAVING, closed.get());
    }

    @Test
    void aStoppingReactorClosesAllConnections() throws Exception {
        disconnectWhileTheReactorIsBusy(() -> reactor.stop());
        reactor.join();
        assertEquals(LEAVING + 1, closed.get());
        assertEquals(LEAVING + 1, toldClosed.get());
    }
}
