package io.penstock.spool;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.spool.SpoolFile.Appended;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a spool file stores the accepted bytes, and that these bytes can be read again. A closed file must release its bytes, even if
 * the file is closed during a write.
 */
final class SpoolFileTest {
    private static final int LIMIT = 1000;

    @TempDir
    Path parent;

    private final Counters counters = new Counters();
    private Spool spool;

    @BeforeEach
    void open() throws IOException {
        spool = Spool.open(parent, LIMIT, 1, 2, counters, "", Rounds.unwatched());
    }

    @AfterEach
    void assertAllFilesAndBytesAreReleased() throws Exception {
        await().until(() -> spool.used() == 0 && spool.files() == 0);
        spool.close();
    }

    private static byte[] bytes(int count, int first) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (first + i);
        }
        return bytes;
    }

    /** Appends the parts, and waits until they are written. Returns the cause of a failure, or null. */
    private static @Nullable IOException append(SpoolFile file, byte[]... parts) throws Exception {
        ByteBuffer[] buffers = new ByteBuffer[parts.length];
        for (int i = 0; i < parts.length; i++) {
            buffers[i] = ByteBuffer.wrap(parts[i]);
        }
        CompletableFuture<@Nullable IOException> written = new CompletableFuture<>();
        assertEquals(Appended.YES, file.append(buffers, written::complete));
        return written.get(60, TimeUnit.SECONDS);
    }

    @Test
    void bytesFromSeveralBuffersCanBeReadInOrderFromAnyPosition() throws Exception {
        SpoolFile file = spool.create(null);
        append(file, bytes(10, 0), bytes(5, 10));
        append(file, bytes(85, 15));
        assertEquals(100, file.length());
        assertEquals(100, spool.used());
        ByteBuffer all = ByteBuffer.allocate(200);
        while (file.read(all, all.position()) > 0) {
            assertEquals(200, all.limit());
        }
        assertEquals(100, all.position());
        assertArrayEquals(bytes(100, 0), java.util.Arrays.copyOf(all.array(), 100));
        ByteBuffer some = ByteBuffer.allocate(3);
        file.read(some, 50);
        assertArrayEquals(bytes(3, 50), some.array());
        ByteArrayOutputStream copied = new ByteArrayOutputStream();
        assertEquals(20, file.transferTo(80, 1000, Channels.newChannel(copied)));
        assertArrayEquals(bytes(20, 80), copied.toByteArray());
        assertEquals(-1, file.read(some.clear(), 100));
        file.close();
    }

    @Test
    void theTotalSizeOfAllFilesDoesNotExceedTheLimit() throws Exception {
        SpoolFile first = spool.create(null);
        SpoolFile second = spool.create(null);
        append(first, new byte[LIMIT - 1]);
        assertEquals(Appended.OVER_LIMIT, second.append(new ByteBuffer[] {ByteBuffer.allocate(2)}, failure -> {}));
        assertEquals(LIMIT - 1, spool.used());
        append(second, new byte[1]);
        first.close();
        await().until(() -> spool.used() == 1);
        append(second, new byte[LIMIT - 1]);
        second.close();
    }

    @Test
    void aRefusedWriteSucceedsWhenItIsRepeatedAfterTheSpoolReportsRoom() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        SpoolFile[] files = {spool.create(null), spool.create(null), spool.create(null)};
        for (int i = 0; i < 2; i++) {
            files[i].append(new ByteBuffer[] {ByteBuffer.allocate(1)}, failure -> awaitQuietly(go));
        }
        ByteBuffer third = ByteBuffer.wrap(bytes(7, 0));
        assertEquals(Appended.BUSY, files[2].append(new ByteBuffer[] {third}, failure -> {}));
        assertEquals(7, third.remaining());
        CountDownLatch room = new CountDownLatch(1);
        files[2].whenRoom(room::countDown);
        go.countDown();
        room.await();
        assertEquals(null, append(files[2], bytes(7, 0)));
        for (SpoolFile file : files) {
            file.close();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anAcceptedWriteIsStillExecutedAfterTheFileIsClosed() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        SpoolFile other = spool.create(null);
        other.append(new ByteBuffer[] {ByteBuffer.allocate(1)}, failure -> awaitQuietly(go)); // blocks the only thread
        SpoolFile file = spool.create(null);
        ByteBuffer source = ByteBuffer.allocate(50);
        CompletableFuture<String> written = new CompletableFuture<>();
        file.append(new ByteBuffer[] {source}, failure -> written.complete(String.valueOf(failure)));
        file.close();
        file.close();
        assertEquals(Appended.CLOSED, file.append(new ByteBuffer[] {ByteBuffer.allocate(1)}, failure -> {}));
        go.countDown();
        assertEquals("null", written.get(60, TimeUnit.SECONDS));
        assertEquals(0, source.remaining(), "the number of accepted bytes that were not written");
        other.close();
    }

    @Test
    void aReadFromAClosedFileFails() throws Exception {
        SpoolFile file = spool.create(null);
        append(file, new byte[10]);
        file.close();
        await().until(() -> spool.files() == 0);
        assertThrows(ClosedChannelException.class, () -> file.read(ByteBuffer.allocate(1), 0));
    }

    @Test
    void aDiskFailureIsReportedAndCounted() throws Exception {
        try (var left = Files.list(parent)) {
            for (Path path : left.toList()) {
                Files.delete(path);
            }
        }
        Files.delete(parent);
        SpoolFile file = spool.create(null);
        assertNotNull(append(file, new byte[10]));
        assertEquals(1, counters.value(Counter.SPOOL_FAILURES));
        file.close();
        Files.createDirectory(parent);
    }
}
