package io.penstock.reactor;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.limits.ConnectionsPolicy;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Listen;
import io.penstock.memory.Rounds;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Accepting pauses and goes on, and its end loses nobody who is connected. */
final class AcceptorTest {
    private static final Listen LISTEN = new Listen("127.0.0.1", 0, 16, 0, 0, 10, ConnectionsPolicy.REFUSE);

    private final Counters counters = new Counters();
    private final BlockingQueue<SocketChannel> accepted = new LinkedBlockingQueue<>();

    @AfterEach
    void closeWhatWasAccepted() throws IOException {
        for (SocketChannel channel : accepted) {
            channel.close();
        }
    }

    /** Takes everything, unless a test says otherwise. */
    private class Taking implements Acceptor.Receiver {
        @Override
        public boolean hasRoom(Runnable again) {
            return true;
        }

        @Override
        public void accept(SocketChannel channel) throws IOException {
            accepted.add(channel);
        }
    }

    private static Socket connect(Acceptor acceptor) throws IOException {
        InetSocketAddress address = acceptor.address();
        return new Socket(address.getAddress(), address.getPort());
    }

    private void assertAccepted() throws Exception {
        SocketChannel channel = accepted.poll(60, TimeUnit.SECONDS);
        assertNotNull(channel);
        channel.close();
    }

    @Test
    void whoIsConnectedBeforeTheStopIsHandedOnAndNobodyAfterIt() throws Exception {
        Acceptor acceptor = new Acceptor(LISTEN, counters, new Taking(), "", Rounds.unwatched());
        InetSocketAddress address = acceptor.address();
        try (Socket client = connect(acceptor)) {
            acceptor.start();
            acceptor.stop();
            assertEquals(1, accepted.size());
            assertEquals(
                    client.getLocalPort(),
                    ((InetSocketAddress) accepted.element().getRemoteAddress()).getPort());
        }
        assertThrows(ConnectException.class, () -> new Socket(address.getAddress(), address.getPort()).close());
    }

    @Test
    void aFailureIsCountedAndAcceptingGoesOn() throws Exception {
        Acceptor acceptor = new Acceptor(
                LISTEN,
                counters,
                new Taking() {
                    private boolean failed;

                    @Override
                    public void accept(SocketChannel channel) throws IOException {
                        if (!failed) {
                            failed = true;
                            throw new IllegalStateException("thrown by the test");
                        }
                        super.accept(channel);
                    }
                },
                "",
                Rounds.unwatched());
        acceptor.start();
        try (Socket unlucky = connect(acceptor);
                Socket lucky = connect(acceptor)) {
            assertEquals(-1, unlucky.getInputStream().read());
            assertAccepted();
            assertEquals(1, counters.value(Counter.ACCEPT_FAILURES));
            lucky.shutdownOutput();
        } finally {
            acceptor.stop();
        }
    }

    /** Wherever it fails, also where it would only look for room. */
    @Test
    void wantOfMemoryCostsOneRound() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Acceptor acceptor = new Acceptor(
                LISTEN,
                counters,
                new Taking() {
                    @Override
                    public boolean hasRoom(Runnable whenRoom) {
                        if (asked.incrementAndGet() < 4) {
                            throw new OutOfMemoryError("thrown by the test");
                        }
                        return true;
                    }
                },
                "",
                Rounds.unwatched());
        acceptor.start();
        try (Socket lucky = connect(acceptor)) {
            assertAccepted();
            lucky.shutdownOutput();
        } finally {
            acceptor.stop();
        }
    }

    @Test
    void aReceiverWithoutRoomIsAskedAgainWhenItSaysSo() throws Exception {
        AtomicReference<Runnable> again = new AtomicReference<>();
        Acceptor acceptor = new Acceptor(
                LISTEN,
                counters,
                new Taking() {
                    private int asked;

                    @Override
                    public boolean hasRoom(Runnable whenRoom) {
                        asked++;
                        if (asked > 1) {
                            return true;
                        }
                        again.set(whenRoom);
                        return false;
                    }
                },
                "",
                Rounds.unwatched());
        acceptor.start();
        try (Socket waiting = connect(acceptor)) {
            await().until(() -> again.get() != null);
            assertEquals(0, accepted.size());
            again.get().run();
            assertAccepted();
            waiting.shutdownOutput();
        } finally {
            acceptor.stop();
        }
    }

    @Test
    void anAcceptorThatWasNotStartedFreesItsPort() throws Exception {
        Acceptor acceptor = new Acceptor(LISTEN, counters, new Taking(), "", Rounds.unwatched());
        InetSocketAddress address = acceptor.address();
        acceptor.stop();
        assertThrows(ConnectException.class, () -> new Socket(address.getAddress(), address.getPort()).close());
    }
}
