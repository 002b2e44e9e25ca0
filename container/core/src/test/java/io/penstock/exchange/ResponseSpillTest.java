package io.penstock.exchange;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.Side;
import io.penstock.http1.WireConfig;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.SegmentPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * If a client reads too slowly, its response is written to disk ({@link ResponseSpill}). The thread that writes the response (the writer)
 * must wait only briefly for the client and for the disk.
 */
final class ResponseSpillTest {
    private static final int CAPACITY = 64 * 1024;
    private static final int PIECE = 16 * 1024;

    private final SegmentPool pool = new SegmentPool(PIECE, 8 << 20);
    private final TestResources testResources = new TestResources(pool, new WireConfig());
    private final SpoolHistory history = new SpoolHistory();
    private final List<Long> spilled = new CopyOnWriteArrayList<>();

    /** Thrown after the next write to disk; null if none fails. */
    private RuntimeException failure;

    @TempDir
    Path folder;

    /** Records the number of bytes of each write to disk. */
    private final RequestObserver observer = new RequestObserver() {
        @Override
        public void spilled(Side side, long bytes) {
            spilled.add(bytes);
            if (failure != null) {
                throw failure;
            }
        }
    };

    @AfterEach
    void everySegmentIsReleased() throws Exception {
        assertEquals(0, pool.inUse());
        testResources.close();
    }

    /** The objects that send responses to one simulated client. */
    private final class Sender implements AutoCloseable {
        final SimulatedLink link = new SimulatedLink();
        final ResponsePipe pipe = new ResponsePipe(pool, CAPACITY);
        final LinkWriter out = new LinkWriter(pipe, link, LinkWriter.Files.AT_ONCE);
        final ResponseSpill spill =
                new ResponseSpill(testResources.resources(), null, out, () -> false, history, observer);

        void write(byte[] bytes) throws IOException {
            for (int at = 0; at < bytes.length; at += PIECE) {
                spill.send(ByteBuffer.wrap(bytes, at, Math.min(PIECE, bytes.length - at)));
            }
            spill.writeGathered();
        }

        @Override
        public void close() {
            spill.close();
            pipe.fail(new IOException("end of the test"));
        }
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return bytes;
    }

    /**
     * The test is repeated until it succeeds, because the machine can be busy. If the writer always waited too long, all repetitions would
     * fail.
     */
    @Test
    void theWriterWaitsOnlyBrieflyForAClientThatDoesNotRead() {
        byte[] large = bytes(CAPACITY + 1);
        AtomicInteger tries = new AtomicInteger();
        await().until(() -> {
            tries.incrementAndGet();
            try (Sender sender = new Sender()) {
                long began = System.nanoTime();
                sender.write(large);
                return System.nanoTime() - began < Duration.ofMillis(15).toNanos();
            }
        });
        assertEquals(tries.get(), spilled.size());
    }

    @Test
    void aLongResponseIsWrittenToDiskInAtMost16Writes() throws IOException {
        byte[] large = bytes(1 << 20);
        try (Sender sender = new Sender()) {
            sender.write(large);
            assertTrue(spilled.size() <= 16, "there were too many writes to disk; their sizes are " + spilled);
            assertEquals(
                    large.length, spilled.stream().mapToLong(Long::longValue).sum());
            sender.link.room = large.length;
            while (!sender.out.reactorFlush()) {
                assertTrue(sender.link.room > 0, "more bytes were sent than the application wrote");
            }
            assertArrayEquals(large, sender.link.taken.toByteArray());
        }
    }

    /** The pipe owns the file from the call on, whatever the write to disk before it throws. */
    @Test
    void aFileIsClosedIfTheBytesBeforeItCannotBeWritten() throws IOException {
        AtomicInteger closed = new AtomicInteger();
        try (Sender sender = new Sender();
                FileChannel file = FileChannel.open(Files.createFile(folder.resolve("file")))) {
            sender.spill.send(ByteBuffer.wrap(bytes(CAPACITY + 100))); // 100 bytes are collected for the disk
            failure = new IllegalStateException("on purpose");
            assertSame(
                    failure,
                    assertThrows(
                            IllegalStateException.class, () -> sender.spill.send(file, 0, 1, closed::incrementAndGet)));
            assertFalse(file.isOpen());
            assertEquals(1, closed.get());
        }
    }

    /**
     * The writer collects bytes for the next write to disk. When the client has accepted all bytes on disk, the collected bytes go to the
     * {@link ResponsePipe}, and must fit into it.
     */
    @Test
    void collectedBytesFitIntoThePipeAfterTheBytesOnDiskAreSent() throws IOException {
        byte[] large = bytes(600_000);
        try (Sender sender = new Sender()) {
            for (int at = 0; at < large.length; at += 10_000) {
                sender.spill.send(ByteBuffer.wrap(large, at, 10_000));
                if (at % 200_000 == 190_000) {
                    sender.link.room = Long.MAX_VALUE / 2;
                    while (!sender.out.reactorFlush()) {
                        assertTrue(sender.pipe.hasRegions());
                    }
                    sender.link.room = 0;
                }
                assertTrue(sender.pipe.size() <= CAPACITY, "too many bytes are in the pipe: " + sender.pipe.size());
            }
            sender.spill.writeGathered();
            sender.link.room = Long.MAX_VALUE / 2;
            while (!sender.out.reactorFlush()) {
                assertTrue(sender.pipe.hasRegions());
            }
            assertArrayEquals(large, sender.link.taken.toByteArray());
        }
    }
}
