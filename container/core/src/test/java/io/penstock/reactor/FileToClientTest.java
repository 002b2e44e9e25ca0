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
 * Checks how a link sends parts of a file. If the socket has accepted all bytes so far, the link copies the file into memory and sends the
 * copy. For other clients the link uses transferTo().
 */
final class FileToClientTest {
    private static final int SIZE = 64 * 1024;
    private static final int PIECE = 1024;
    private static final int SMALL = 16 * 1024;

    private enum Way {
        FILE,
        COPY
    }

    @TempDir
    private Path folder;

    private final Counters counters = new Counters();
    private final List<Way> ways = new ArrayList<>();
    private final byte[] content = new byte[SIZE];
    private Reactor reactor;
    private FileChannel file;
    private SocketChannel client;
    private Link link;

    /** A file that records how the link sends its bytes. */
    private final class Watched extends ForwardingFile {
        Watched(FileChannel file) {
            super(file);
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            ways.add(Way.COPY);
            return super.read(target, position);
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
            ways.add(Way.FILE);
            return super.transferTo(position, count, target);
        }
    }

    private static final class Nothing implements LinkHandler {
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
        reactor = new Reactor(
                "reactor-that-sends-files", Clock.SYSTEM, ConnectionEvents.NONE, counters, PIECE, Rounds.unwatched());
        reactor.start();
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            client = SocketChannel.open().setOption(StandardSocketOptions.SO_RCVBUF, SMALL);
            client.connect(server.getLocalAddress());
            SocketChannel accepted = server.accept().setOption(StandardSocketOptions.SO_SNDBUF, SMALL);
            accepted.configureBlocking(false);
            FutureTask<Void> made = new FutureTask<>(() -> {}, null);
            reactor.adopt(
                    accepted,
                    opened -> {
                        link = opened;
                        made.run();
                        return new Nothing();
                    },
                    () -> {});
            made.get(10, TimeUnit.SECONDS);
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
        return run.get(10, TimeUnit.SECONDS);
    }

    @Test
    void aFastClientGetsCopiesAfterTheFirstPart() throws Exception {
        int pieces = 8;
        onReactor(() -> {
            for (int i = 0; i < pieces; i++) {
                assertEquals(PIECE, link.transferFrom(file, i * PIECE, PIECE));
            }
            return null;
        });
        List<Way> expected = new ArrayList<>(Collections.nCopies(pieces, Way.COPY));
        expected.set(0, Way.FILE);
        assertEquals(expected, ways);
        ByteBuffer received = ByteBuffer.allocate(pieces * PIECE);
        while (received.hasRemaining()) {
            client.read(received);
        }
        assertArrayEquals(Arrays.copyOf(content, pieces * PIECE), received.array());
        assertEquals(pieces * PIECE, counters.value(Counter.SENT_BYTES));
    }

    @Test
    void theFileIsSentByTransferToIfTheClientIsSlow() throws Exception {
        onReactor(() -> {
            while (link.transferFrom(file, 0, SIZE) == SIZE) {
                // The client does not read, so the loop ends when the socket is full.
            }
            ways.clear();
            return link.transferFrom(file, 0, SIZE);
        });
        assertEquals(List.of(Way.FILE), ways);
        assertFalse(link.keepsUp());
    }

    /**
     * The client receives a part of a file quickly, and then does not read bytes from memory. The link must notice that the client does not
     * keep up.
     */
    @Test
    void aClientThatDoesNotReadBytesFromMemoryDoesNotKeepUp() throws Exception {
        assertEquals(PIECE, link.transferFrom(file, 0, PIECE));
        assertTrue(link.keepsUp());
        onReactor(() -> {
            ByteBuffer[] all = {ByteBuffer.allocate(PIECE), ByteBuffer.allocate(SIZE)};
            link.write(all, 0, 1);
            assertTrue(link.keepsUp(), "the socket has accepted all bytes");
            while (!all[1].hasRemaining() || link.write(all, 0, 2) > 0) {
                // The client does not read, so the loop ends when the socket is full.
                all[1].clear();
            }
            return null;
        });
        assertFalse(link.keepsUp());
    }

    @Test
    void aWorkerAlsoSendsCopiesToAFastClient() throws Exception {
        assertFalse(link.keepsUp(), "the link has not yet written any bytes");
        assertEquals(PIECE, link.transferFrom(file, 0, PIECE));
        assertTrue(link.keepsUp());
        assertEquals(PIECE, link.transferFrom(file, PIECE, PIECE));
        assertTrue(link.keepsUp());
        assertEquals(List.of(Way.FILE, Way.COPY), ways);
    }

    @Test
    void theFileIsSentByTransferToIfNoBufferIsFree() throws Exception {
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
        assertEquals(List.of(Way.FILE, Way.FILE, Way.COPY), ways);
        assertSame(borrowed.get(0), reactor.fileBuffers().borrow(), "the link must return the buffer");
        assertNull(reactor.fileBuffers().borrow());
    }

    @Test
    void aTruncatedFileTransfersNothing() throws Exception {
        onReactor(() -> {
            assertEquals(PIECE, link.transferFrom(file, 0, PIECE));
            assertEquals(0, link.transferFrom(file, SIZE, PIECE));
            return null;
        });
        assertEquals(List.of(Way.FILE, Way.COPY), ways);
    }
}
