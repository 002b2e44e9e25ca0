package io.penstock.reactor;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.ConnectionEvents;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Listen;
import io.penstock.limits.Listen.ConnectionsPolicy;
import io.penstock.limits.ListenAddress.BindAddress;
import io.penstock.memory.MemoryWatch;
import io.penstock.memory.Rounds;
import io.penstock.time.Clock;
import io.penstock.time.ManualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that the {@link Acceptor} pauses and continues. A stopping acceptor must still accept clients that are already connected. */
final class AcceptorTest {
    private static final Listen LISTEN = new Listen(List.of(), 16, 0, 0, 10, ConnectionsPolicy.REFUSE);

    private static final InetSocketAddress ANY_PORT = new InetSocketAddress("127.0.0.1", 0);

    @TempDir
    Path folder;

    private final Counters counters = new Counters();
    private final BlockingQueue<SocketChannel> accepted = new LinkedBlockingQueue<>();

    private Reactor reactor;

    @BeforeEach
    void startReactor() throws IOException {
        reactor = new Reactor("reactor", Clock.SYSTEM, ConnectionEvents.NONE, counters, 16 * 1024, Rounds.unwatched());
        reactor.start();
    }

    @AfterEach
    void closeAcceptedConnections() throws Exception {
        reactor.stop();
        reactor.join();
        for (SocketChannel channel : accepted) {
            channel.close();
        }
    }

    /** A receiver that always has room and accepts all connections. Tests override its methods. */
    private class TestReceiver implements Acceptor.Receiver, Acceptor.Room {
        @Override
        public boolean hasRoom(Runnable again) {
            return true;
        }

        @Override
        public void accept(SocketChannel channel) throws IOException {
            accepted.add(channel);
        }

        @Override
        public void close(SocketChannel channel, Throwable cause) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private Acceptor acceptor(TestReceiver receiver) throws IOException {
        return acceptor(receiver, ANY_PORT);
    }

    private Acceptor acceptor(TestReceiver receiver, SocketAddress... addresses) throws IOException {
        List<Acceptor.Endpoint> endpoints = Stream.of(addresses)
                .map(address -> new Acceptor.Endpoint(BindAddress.of(address), receiver))
                .toList();
        return new Acceptor(reactor, endpoints, LISTEN, receiver, counters, Rounds.unwatched());
    }

    private static InetSocketAddress address(Acceptor acceptor) {
        return (InetSocketAddress) acceptor.addresses().get(0);
    }

    private static Socket connect(Acceptor acceptor) throws IOException {
        return connect(address(acceptor));
    }

    private static Socket connect(InetSocketAddress address) throws IOException {
        return new Socket(address.getAddress(), address.getPort());
    }

    private void assertAccepted() throws Exception {
        SocketChannel channel = accepted.poll(60, TimeUnit.SECONDS);
        assertNotNull(channel);
        channel.close();
    }

    @Test
    void aStoppingAcceptorAcceptsClientsThatAreAlreadyConnected() throws Exception {
        Acceptor acceptor = acceptor(new TestReceiver());
        InetSocketAddress address = address(acceptor);
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
    void theAcceptorCountsAFailureAndAcceptsTheNextClient() throws Exception {
        Acceptor acceptor = acceptor(new TestReceiver() {
            private boolean failed;

            @Override
            public void accept(SocketChannel channel) throws IOException {
                if (!failed) {
                    failed = true;
                    throw new IllegalStateException("thrown by the test");
                }
                super.accept(channel);
            }
        });
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

    /** The acceptor must try again after each OutOfMemoryError. The test throws the error in the call that checks for room. */
    @Test
    void theAcceptorContinuesAfterAnOutOfMemoryError() throws Exception {
        AtomicInteger roomChecks = new AtomicInteger();
        Acceptor acceptor = acceptor(new TestReceiver() {
            @Override
            public boolean hasRoom(Runnable whenRoom) {
                if (roomChecks.incrementAndGet() < 4) {
                    throw new OutOfMemoryError("thrown by the test");
                }
                return true;
            }
        });
        acceptor.start();
        try (Socket lucky = connect(acceptor)) {
            assertAccepted();
            lucky.shutdownOutput();
        } finally {
            acceptor.stop();
        }
    }

    /** The memory that the first call lacks is also missing for the report. */
    @Test
    void theAcceptorContinuesIfItsFailureCannotBeReported() throws Exception {
        AtomicBoolean full = new AtomicBoolean(true);
        MemoryWatch memory = new MemoryWatch(() -> {});
        memory.whenCounted(() -> {
            full.set(false);
            throw new OutOfMemoryError("thrown by the test");
        });
        TestReceiver receiver = new TestReceiver() {
            @Override
            public boolean hasRoom(Runnable whenRoom) {
                if (full.get()) {
                    throw new OutOfMemoryError("thrown by the test");
                }
                return true;
            }
        };
        Acceptor acceptor = new Acceptor(
                reactor,
                List.of(new Acceptor.Endpoint(BindAddress.of(ANY_PORT), receiver)),
                LISTEN,
                receiver,
                counters,
                new Rounds(memory));
        acceptor.start();
        try (Socket lucky = connect(acceptor)) {
            assertAccepted();
            lucky.shutdownOutput();
        } finally {
            acceptor.stop();
        }
    }

    @Test
    void theAcceptorContinuesWhenTheReceiverHasRoomAgain() throws Exception {
        AtomicReference<Runnable> again = new AtomicReference<>();
        Acceptor acceptor = acceptor(new TestReceiver() {
            private int roomChecks;

            @Override
            public boolean hasRoom(Runnable whenRoom) {
                roomChecks++;
                if (roomChecks > 1) {
                    return true;
                }
                again.set(whenRoom);
                return false;
            }
        });
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
    void anAcceptorReleasesItsPortEvenIfItIsStoppedBeforeItsStart() throws Exception {
        Acceptor acceptor = acceptor(new TestReceiver());
        InetSocketAddress address = address(acceptor);
        acceptor.stop();
        assertThrows(ConnectException.class, () -> new Socket(address.getAddress(), address.getPort()).close());
    }

    // ---- several addresses

    @Test
    void theAcceptorListensOnAllAddressesUntilTheAcceptorStops() throws Exception {
        Path file = folder.resolve("s");
        Acceptor acceptor = acceptor(new TestReceiver(), ANY_PORT, UnixDomainSocketAddress.of(file), ANY_PORT);
        List<SocketAddress> addresses = acceptor.addresses();
        acceptor.start();
        try {
            for (SocketAddress address : addresses) {
                try (SocketChannel client = SocketChannel.open(address)) {
                    assertTrue(client.isConnected());
                    assertAccepted();
                }
            }
        } finally {
            acceptor.stop();
        }
        assertEquals(UnixDomainSocketAddress.of(file), addresses.get(1));
        assertFalse(Files.exists(file));
        for (SocketAddress address : addresses) {
            assertThrows(IOException.class, () -> SocketChannel.open(address).close());
        }
    }

    /**
     * 150 clients wait at the first address, and one client waits at the second address. The acceptor must accept the client of the second
     * address after the first 64 clients.
     */
    @Test
    void waitingClientsOfOneAddressDoNotDelayTheClientsOfAnotherAddress() throws Exception {
        List<Integer> order = new ArrayList<>();
        Listen listen = new Listen(List.of(), 200, 0, 0, 10, ConnectionsPolicy.REFUSE);
        TestReceiver receiver = new TestReceiver() {
            @Override
            public void accept(SocketChannel channel) throws IOException {
                order.add(((InetSocketAddress) channel.getLocalAddress()).getPort());
                super.accept(channel);
            }
        };
        Acceptor.Endpoint endpoint = new Acceptor.Endpoint(BindAddress.of(ANY_PORT), receiver);
        Acceptor acceptor =
                new Acceptor(reactor, List.of(endpoint, endpoint), listen, receiver, counters, Rounds.unwatched());
        int second = ((InetSocketAddress) acceptor.addresses().get(1)).getPort();
        List<Socket> waitingClients = new ArrayList<>();
        try {
            for (int i = 0; i < 150; i++) {
                waitingClients.add(connect(acceptor));
            }
            waitingClients.add(connect((InetSocketAddress) acceptor.addresses().get(1)));
            acceptor.start();
            acceptor.stop();
            assertEquals(151, order.size());
            assertEquals(64, order.indexOf(second));
        } finally {
            for (Socket client : waitingClients) {
                client.close();
            }
        }
    }

    @Test
    void aFailedBindIsReportedAndTheOtherAddressesAreReleased() throws Exception {
        Path file = folder.resolve("s");
        Acceptor first = acceptor(new TestReceiver());
        InetSocketAddress taken = address(first);
        ListenException refused = assertThrows(
                ListenException.class, () -> acceptor(new TestReceiver(), UnixDomainSocketAddress.of(file), taken));
        assertEquals(
                "cannot listen on 127.0.0.1:" + taken.getPort() + ": Address already in use", refused.getMessage());
        assertFalse(Files.exists(file));
        first.stop();
        Acceptor second = acceptor(new TestReceiver(), UnixDomainSocketAddress.of(file), taken);
        assertEquals(List.of(UnixDomainSocketAddress.of(file), taken), second.addresses());
        second.stop();
    }

    // ---- Unix domain sockets

    private static BindAddress.UnixSocket socket(Path file, String mode) {
        return new BindAddress.UnixSocket(file, PosixFilePermissions.fromString(mode));
    }

    private Acceptor acceptorAt(BindAddress address) throws IOException {
        TestReceiver receiver = new TestReceiver();
        return new Acceptor(
                reactor,
                List.of(new Acceptor.Endpoint(address, receiver)),
                LISTEN,
                receiver,
                counters,
                Rounds.unwatched());
    }

    private void assertRefused(Path file, String reason) {
        ListenException refused = assertThrows(ListenException.class, () -> acceptorAt(socket(file, "rw-rw----")));
        assertEquals("cannot listen on unix:" + file + ": " + reason, refused.getMessage());
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void anOrdinaryFileIsNotReplaced() throws Exception {
        Path file = Files.writeString(folder.resolve("s"), "mine");
        assertRefused(file, "the file exists, and is not a socket");
        assertEquals("mine", Files.readString(file));
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        assertRefused(link, "the file exists, and is not a socket");
        assertEquals(List.of("link", "s"), files());
    }

    @Test
    void aSocketWithAListenerIsNotReplaced() throws Exception {
        Path file = folder.resolve("s");
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(file), 1);
            assertRefused(file, "another process listens at the socket");
        }
    }

    /** If the backlog is full, a connection to the socket fails, although another process listens at the socket. */
    @Test
    void aSocketWithAFullBacklogIsNotReplaced() throws Exception {
        Path file = folder.resolve("s");
        List<SocketChannel> waitingClients = new ArrayList<>();
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(file), 1);
            assertThrows(IOException.class, () -> {
                while (true) {
                    SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX);
                    waitingClients.add(client);
                    client.configureBlocking(false);
                    client.connect(UnixDomainSocketAddress.of(file));
                }
            });
            ListenException refused = assertThrows(ListenException.class, () -> acceptorAt(socket(file, "rw-rw----")));
            assertTrue(
                    refused.getMessage()
                            .startsWith("cannot listen on unix:" + file + ": another process may listen there: "),
                    refused.getMessage());
        } finally {
            for (SocketChannel client : waitingClients) {
                client.close();
            }
        }
        assertEquals(List.of("s"), files());
    }

    @Test
    void aSocketWithoutAListenerIsReplaced() throws Exception {
        Path file = folder.resolve("s");
        ServerSocketChannel former = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        former.bind(UnixDomainSocketAddress.of(file));
        former.close();
        assertEquals(List.of("s"), files());
        Acceptor acceptor = acceptorAt(socket(file, "rw-rw----"));
        acceptor.start();
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
            assertAccepted();
            client.shutdownOutput();
        } finally {
            acceptor.stop();
        }
        assertEquals(List.of(), files());
    }

    /** Reads nothing, and keeps its link open. */
    private record Silent(Link link) implements LinkHandler {
        @Override
        public void onReadable() throws IOException {
            link.read(link.reactor().readBuffer());
        }

        @Override
        public void onWritable() {}

        @Override
        public void onSignals(int bits) {}

        @Override
        public void onClosed(ConnectionClosed cause) {}
    }

    /** The acceptor waits a moment for the first bytes of a client before it accepts the next one. This clock stands still. */
    @Test
    void clientsThatSendNothingDoNotStopTheAcceptor() throws Exception {
        Reactor still =
                new Reactor("still", new ManualClock(), ConnectionEvents.NONE, counters, 1024, Rounds.unwatched());
        still.start();
        BlockingQueue<Link> opened = new LinkedBlockingQueue<>();
        TestReceiver receiver = new TestReceiver() {
            @Override
            public void accept(SocketChannel channel) {
                still.adopt(
                        channel,
                        link -> {
                            opened.add(link);
                            return new Silent(link);
                        },
                        () -> {});
            }
        };
        List<Acceptor.Endpoint> endpoints = List.of(new Acceptor.Endpoint(BindAddress.of(ANY_PORT), receiver));
        Acceptor acceptor = new Acceptor(still, endpoints, LISTEN, receiver, counters, Rounds.unwatched());
        acceptor.start();
        List<Socket> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                clients.add(connect(acceptor));
                assertNotNull(opened.poll(60, TimeUnit.SECONDS));
            }
        } finally {
            for (Socket client : clients) {
                client.close();
            }
            acceptor.stop();
            still.stop();
            still.join();
        }
    }

    @Test
    void aStoppingAcceptorDoesNotDeleteTheSocketFileOfAnotherProcess() throws Exception {
        Path file = folder.resolve("s");
        Acceptor acceptor = acceptorAt(socket(file, "rw-rw----"));
        Files.delete(file);
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(file));
            acceptor.stop();
            assertEquals(List.of("s"), files());
        }
    }

    /** A stopping acceptor removes the file of its socket. Clients that have connected before must be accepted. */
    @Test
    void aClientIsAcceptedIfItConnectsBeforeTheSocketFileIsRemoved() throws Exception {
        Path file = folder.resolve("s");
        Acceptor acceptor = acceptorAt(socket(file, "rw-rw----"));
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
            acceptor.start();
            acceptor.stop();
            assertAccepted();
            client.shutdownOutput();
        }
        assertEquals(List.of(), files());
    }

    @Test
    void aMissingFolderIsReported() throws Exception {
        assertRefused(folder.resolve("missing").resolve("s"), "no such folder");
    }

    /**
     * An observer reads the permissions of the file again and again. The permissions must always be the configured permissions.
     */
    @Test
    void theSocketFileHasTheConfiguredPermissionsFromTheStart() throws Exception {
        Path file = folder.resolve("s");
        Set<Set<PosixFilePermission>> seen = ConcurrentHashMap.newKeySet();
        AtomicInteger times = new AtomicInteger();
        AtomicBoolean done = new AtomicBoolean();
        Thread observer = new Thread(() -> {
            while (!done.get()) {
                try {
                    seen.add(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
                    times.incrementAndGet();
                } catch (NoSuchFileException e) {
                    Thread.onSpinWait();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
        observer.start();
        try {
            for (int i = 0; i < 200; i++) {
                Acceptor acceptor = acceptorAt(socket(file, "rw-------"));
                int before = times.get();
                await().until(() -> times.get() > before);
                acceptor.stop();
            }
        } finally {
            done.set(true);
            observer.join();
        }
        assertEquals(Set.of(PosixFilePermissions.fromString("rw-------")), seen);
    }
}
