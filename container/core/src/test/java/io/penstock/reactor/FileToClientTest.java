package io.penstock.reactor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.ConnectionEvents;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.pipe.ForwardingFile;
import io.penstock.time.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks how a {@link Link} (a connection) sends parts of a file. As long as the socket accepts all bytes, the link copies each part into
 * memory and sends the copy. If the client is too slow, the link uses transferTo().
 */
final class FileToClientTest {
    private static final int SIZE = 64 * 1024;
    private static final int PIECE = 1024;
    private static final int SMALL_BUFFER = 16 * 1024;

    private enum SendMethod {
        TRANSFER_TO,
        COPY
    }

    @TempDir
    private Path folder;

    private final Counters counters = new Counters();
    private final List<SendMethod> sendMethods = new ArrayList<>();
    private final byte[] content = new byte[SIZE];
    private Reactor reactor;
    private FileChannel file;
    private SocketChannel client;
    private Link link;

    /** A file that records how the link sends the bytes of the file. */
    private final class Watched extends ForwardingFile {
        Watched(FileChannel file) {
            super(file);
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            sendMethods.add(SendMethod.COPY);
            return super.read(target, position);
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
            sendMethods.add(SendMethod.TRANSFER_TO);
            return super.transferTo(position, count, target);
        }
    }

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
    void connect() throws Exception {
        new Random(1).nextBytes(content);
        file = new Watched(FileChannel.open(Files.write(folder.resolve("file"), content)));
        reactor = new Reactor("reactor", Clock.SYSTEM, ConnectionEvents.NONE, counters, PIECE, Rounds.unwatched());
        reactor.start();
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            client = SocketChannel.open().setOption(StandardSocketOptions.SO_RCVBUF, SMALL_BUFFER);
            client.connect(server.getLocalAddress());
            SocketChannel accepted = server.accept().setOption(StandardSocketOptions.SO_SNDBUF, SMALL_BUFFER);
            accepted.configureBlocking(false);
            FutureTask<Void> made = new FutureTask<>(() -> {}, null);
            reactor.adopt(
                    accepted,
                    opened -> {
                        link = opened;
                        made.run();
                        return new IgnoringHandler();
                    },
                    () -> {});
            made.get(60, TimeUnit.SECONDS);
        }
    }

    @AfterEach
    void end() throws Exception {
        client.close();
        reactor.stop();
        reactor.join();
        file.close();
    }

    private <T> T onReactor(Callable<T> task) throws Exception {
        FutureTask<T> run = new FutureTask<>(task);
        reactor.execute(run);
        return run.get(60, TimeUnit.SECONDS);
    }

    @Test
    void theLinkCopiesTheFileForAFastClientAfterTheFirstPiece() throws Exception {
        int pieces = 8;
        onReactor(() -> {
            for (int i = 0; i < pieces; i++) {
                assertEquals(PIECE, link.transferFrom(file, i * PIECE, PIECE));
            }
            return null;
        });
        List<SendMethod> expected = new ArrayList<>(Collections.nCopies(pieces, SendMethod.COPY));
        expected.set(0, SendMethod.TRANSFER_TO);
        assertEquals(expected, sendMethods);
        ByteBuffer received = ByteBuffer.allocate(pieces * PIECE);
        while (received.hasRemaining()) {
            client.read(received);
        }
        assertArrayEquals(Arrays.copyOf(content, pieces * PIECE), received.array());
        assertEquals(pieces * PIECE, counters.value(Counter.SENT_BYTES));
    }

    @Test
    void theFileIsSentWithTheMethodTransferToIfTheClientIsSlow() throws Exception {
        onReactor(() -> {
            while (link.transferFrom(file, 0, SIZE) == SIZE) {
                // The client does not read, so the loop ends when the socket is full.
            }
            sendMethods.clear();
            return link.transferFrom(file, 0, SIZE);
        });
        assertEquals(List.of(SendMethod.TRANSFER_TO), sendMethods);
        assertFalse(link.keepsUp());
    }

    /**
     * The client receives a part of a file quickly. Then the link sends bytes from memory until the socket is full. The link must notice
     * that the client is slow.
     */
    @Test
    void keepsUpReturnsFalseAfterAWriteFromMemoryHasFilledTheSocket() throws Exception {
        assertEquals(PIECE, link.transferFrom(file, 0, PIECE));
        assertTrue(link.keepsUp());
        onReactor(() -> {
            ByteBuffer[] all = {ByteBuffer.allocate(PIECE), ByteBuffer.allocate(SIZE)};
            link.write(all, 0, 1);
            assertTrue(link.keepsUp(), "keepsUp() after the socket has accepted all bytes");
            while (!all[1].hasRemaining() || link.write(all, 0, 2) > 0) {
                // The client does not read, so the loop ends when the socket is full.
                all[1].clear();
            }
            return null;
        });
        assertFalse(link.keepsUp());
    }

    @Test
    void aThreadOutsideTheReactorAlsoCopiesTheFileForAFastClient() throws Exception {
        assertFalse(link.keepsUp(), "keepsUp() before the first write");
        assertEquals(PIECE, link.transferFrom(file, 0, PIECE));
        assertTrue(link.keepsUp());
        assertEquals(PIECE, link.transferFrom(file, PIECE, PIECE));
        assertTrue(link.keepsUp());
        assertEquals(List.of(SendMethod.TRANSFER_TO, SendMethod.COPY), sendMethods);
    }

    @Test
    void theFileIsSentWithTheMethodTransferToIfNoBufferIsFree() throws Exception {
        assertEquals(PIECE, link.transferFrom(file, 0, PIECE));
        List<ByteBuffer> borrowed = new ArrayList<>();
        for (ByteBuffer next = reactor.fileBuffers().borrow();
                next != null;
                next = reactor.fileBuffers().borrow()) {
            borrowed.add(next);
        }
        assertEquals(PIECE, link.transferFrom(file, PIECE, PIECE));
        reactor.fileBuffers().giveBack(borrowed.get(0));
        assertEquals(PIECE, link.transferFrom(file, 2 * PIECE, PIECE));
        assertEquals(List.of(SendMethod.TRANSFER_TO, SendMethod.TRANSFER_TO, SendMethod.COPY), sendMethods);
        assertSame(
                borrowed.get(0), reactor.fileBuffers().borrow(), "the link must give the buffer back after the copy");
        assertNull(reactor.fileBuffers().borrow());
    }

    @Test
    void noBytesAreSentBeyondTheEndOfTheFile() throws Exception {
        onReactor(() -> {
            assertEquals(PIECE, link.transferFrom(file, 0, PIECE));
            assertEquals(0, link.transferFrom(file, SIZE, PIECE));
            return null;
        });
        assertEquals(List.of(SendMethod.TRANSFER_TO, SendMethod.COPY), sendMethods);
    }
}
