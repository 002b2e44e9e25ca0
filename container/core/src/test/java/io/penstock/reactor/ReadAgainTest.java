package io.penstock.reactor;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.CloseCause;
import io.penstock.events.ConnectionEvents;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.time.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Checks {@link Link#readAgain}. A TLS link reads from the link of a socket. If the TLS link holds bytes that its handler has not read
 * yet, the TLS link calls {@code readAgain()} of the socket's link.
 */
final class ReadAgainTest {
    private static final int READ_AGAIN = 1;
    private static final int READ_AGAIN_AND_CLOSE = 2;

    private final List<SocketChannel> clients = new ArrayList<>();
    private final AtomicInteger largestDifference = new AtomicInteger();
    private Reactor reactor;

    /** A handler that calls readAgain() as often as the test requires. */
    private final class Conversation implements LinkHandler {
        private final Link link;
        private final AtomicInteger calls = new AtomicInteger();
        private final AtomicReference<IOException> closed = new AtomicReference<>();
        private volatile boolean always;
        private volatile Conversation other;

        Conversation(Link link) {
            this.link = link;
        }

        @Override
        public void onReadable() {
            calls.incrementAndGet();
            Conversation otherConversation = other;
            if (otherConversation != null) {
                largestDifference.accumulateAndGet(Math.abs(calls.get() - otherConversation.calls.get()), Math::max);
            }
            if (always) {
                link.readAgain();
            }
        }

        @Override
        public void onWritable() {}

        @Override
        public void onSignals(int bits) {
            link.readAgain();
            link.readAgain();
            if ((bits & READ_AGAIN_AND_CLOSE) != 0) {
                link.close(new ConnectionClosed(CloseCause.CLIENT_CLOSED));
            }
        }

        @Override
        public void onClosed(ConnectionClosed cause) {
            closed.set(cause);
        }
    }

    @BeforeEach
    void start() throws Exception {
        reactor = new Reactor("reactor", Clock.SYSTEM, ConnectionEvents.NONE, new Counters(), 1024, Rounds.unwatched());
        reactor.start();
    }

    @AfterEach
    void end() throws Exception {
        for (SocketChannel client : clients) {
            client.close();
        }
        reactor.stop();
        reactor.join();
    }

    private Conversation connect() throws Exception {
        return connect(link -> {});
    }

    /** @param whenMade an action that gets the link when the handler is made */
    private Conversation connect(Consumer<Link> whenMade) throws Exception {
        AtomicReference<Conversation> made = new AtomicReference<>();
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            clients.add(SocketChannel.open(server.getLocalAddress()));
            SocketChannel accepted = server.accept();
            accepted.configureBlocking(false);
            reactor.adopt(
                    accepted,
                    link -> {
                        made.set(new Conversation(link));
                        whenMade.accept(link);
                        return made.get();
                    },
                    () -> {});
        }
        awaitRounds(1);
        made.get().calls.set(0); // the reactor calls onReadable() once for each new link
        return made.get();
    }

    /**
     * Waits for at least {@code count} rounds (iterations of the loop) of the reactor. Two commands can run in the same round, although the
     * second command is added after the first command has run. So this method runs one more command.
     */
    private void awaitRounds(int count) throws InterruptedException {
        for (int i = 0; i <= count; i++) {
            CountDownLatch ran = new CountDownLatch(1);
            reactor.execute(ran::countDown);
            assertTrue(ran.await(60, TimeUnit.SECONDS));
        }
    }

    @Test
    void onReadableIsCalledOnceAfterSeveralCallsOfReadAgain() throws Exception {
        Conversation conversation = connect();
        conversation.link.signal(READ_AGAIN);
        await().until(() -> conversation.calls.get() == 1);
        awaitRounds(3);
        assertEquals(1, conversation.calls.get());
        conversation.link.signal(READ_AGAIN);
        await().until(() -> conversation.calls.get() == 2);
    }

    @Test
    void onReadableIsCalledAfterReadAgainEvenIfTheHandlerDoesNotWantToRead() throws Exception {
        Conversation conversation = connect();
        reactor.execute(() -> {
            conversation.link.wantReadable(false);
            conversation.link.readAgain();
        });
        await().until(() -> conversation.calls.get() == 1);
    }

    @Test
    void onReadableIsNotCalledForAClosedLink() throws Exception {
        Conversation conversation = connect();
        conversation.link.signal(READ_AGAIN_AND_CLOSE);
        await().until(() -> conversation.closed.get() != null);
        awaitRounds(3);
        assertEquals(0, conversation.calls.get());
    }

    @Test
    void onReadableIsCalledOncePerRoundIfReadAgainIsCalledRepeatedly() throws Exception {
        Conversation first = connect();
        Conversation second = connect();
        // The handler does not read this byte, so the selector always reports the first socket as readable.
        clients.get(0).write(ByteBuffer.wrap(new byte[] {1}));
        await().until(() -> first.calls.get() > 0);
        CountDownLatch begun = new CountDownLatch(1);
        reactor.execute(() -> {
            for (Conversation each : List.of(first, second)) {
                each.calls.set(0);
                each.always = true;
                each.link.readAgain();
            }
            first.other = second;
            second.other = first;
            begun.countDown();
        });
        assertTrue(begun.await(60, TimeUnit.SECONDS));
        await().until(() -> first.calls.get() > 100);
        Conversation third = connect();
        clients.get(2).write(ByteBuffer.wrap(new byte[] {1}));
        await().until(() -> third.calls.get() > 0);
        assertEquals(
                1,
                largestDifference.get(),
                "the largest difference between the numbers of onReadable() calls of the two links");
    }

    @Test
    void onReadableIsNotCalledForNewBytesIfTheHandlerDoesNotWantToRead() throws Exception {
        Conversation conversation = connect(link -> link.wantReadable(false));
        clients.get(0).write(ByteBuffer.wrap(new byte[] {1}));
        Conversation other = connect();
        clients.get(1).write(ByteBuffer.wrap(new byte[] {1}));
        await().until(() -> other.calls.get() > 0);
        awaitRounds(3);
        assertEquals(0, conversation.calls.get());
        reactor.execute(() -> conversation.link.wantReadable(true));
        await().until(() -> conversation.calls.get() > 0);
    }
}
