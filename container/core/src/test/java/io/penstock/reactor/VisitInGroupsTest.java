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
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks that a reactor (a selector thread) visits its links (connections) in groups, and runs other commands between two groups. */
final class VisitInGroupsTest {
    private static final int LINKS = 5;
    private static final int TIMEOUT_SECONDS = 60;

    private final List<SocketChannel> clients = new ArrayList<>();
    private final Set<LinkHandler> handlers = ConcurrentHashMap.newKeySet();
    private Reactor reactor;

    /** A handler that ignores all events. */
    private static final class IgnoringHandler implements LinkHandler {
        @Override
        public void onReadable() {}

        @Override
        public void onWritable() {}

        @Override
        public void onSignals(int bits) {}

        @Override
        public void onClosed(ConnectionClosed cause) {}
    }

    @BeforeEach
    void start() throws Exception {
        reactor = new Reactor("reactor", Clock.SYSTEM, ConnectionEvents.NONE, new Counters(), 1024, Rounds.unwatched());
        reactor.start();
        CountDownLatch adopted = new CountDownLatch(LINKS);
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            for (int i = 0; i < LINKS; i++) {
                clients.add(SocketChannel.open(server.getLocalAddress()));
                SocketChannel accepted = server.accept();
                accepted.configureBlocking(false);
                reactor.adopt(accepted, link -> adopted(adopted), () -> {});
            }
        }
        assertTrue(adopted.await(TIMEOUT_SECONDS, TimeUnit.SECONDS));
    }

    private LinkHandler adopted(CountDownLatch adopted) {
        LinkHandler handler = new IgnoringHandler();
        handlers.add(handler);
        adopted.countDown();
        return handler;
    }

    @AfterEach
    void stop() throws Exception {
        reactor.stop();
        reactor.join();
        for (SocketChannel client : clients) {
            client.close();
        }
    }

    @Test
    void eachLinkIsVisitedOnceAndACommandRunsBetweenTheGroups() throws Exception {
        List<LinkHandler> visited = new ArrayList<>(); // only the reactor uses this list until the visit is complete
        AtomicInteger visitedBeforeTheCommand = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        reactor.visitInGroups(
                handler -> {
                    visited.add(handler);
                    if (visited.size() == 1) {
                        reactor.execute(() -> visitedBeforeTheCommand.set(visited.size()));
                    }
                },
                done::countDown,
                links -> 2);
        assertTrue(done.await(TIMEOUT_SECONDS, TimeUnit.SECONDS));
        assertEquals(handlers, Set.copyOf(visited));
        assertEquals(LINKS, visited.size());
        assertEquals(2, visitedBeforeTheCommand.get(), "the number of links that were visited before the command ran");
    }

    @Test
    void theSizeOfAGroupGrowsWithTheNumberOfLinks() {
        assertEquals(2048, VisitInGroups.atOnce(0));
        assertEquals(2048, VisitInGroups.atOnce(20_000));
        assertEquals(10_000, VisitInGroups.atOnce(200_000));
    }

    @Test
    void anExceptionInAVisitClosesOnlyTheVisitedLink() throws Exception {
        AtomicInteger visited = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        reactor.visitInGroups(
                handler -> {
                    if (visited.incrementAndGet() == 2) {
                        throw new IOException("thrown by the test");
                    }
                },
                done::countDown,
                links -> 1);
        assertTrue(done.await(TIMEOUT_SECONDS, TimeUnit.SECONDS));
        assertEquals(LINKS, visited.get());
        AtomicInteger remaining = new AtomicInteger();
        CountDownLatch again = new CountDownLatch(1);
        reactor.visitInGroups(handler -> remaining.incrementAndGet(), again::countDown);
        assertTrue(again.await(TIMEOUT_SECONDS, TimeUnit.SECONDS));
        assertEquals(LINKS - 1, remaining.get());
    }
}
