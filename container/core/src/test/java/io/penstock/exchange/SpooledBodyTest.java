package io.penstock.exchange;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http.Fields;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.spool.CountingDisk;
import io.penstock.spool.SpoolFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Small reads of a body on disk use a buffer of the {@link SegmentPool}. The buffer is released when the body has been read or is closed.
 */
final class SpooledBodyTest {
    private static final int LENGTH = 100_000;
    private static final int BUFFER = 1024;

    @TempDir
    Path folder;

    private final SegmentPool pool = new SegmentPool(16 * 1024, 1 << 20);
    private final byte[] content = new byte[LENGTH];
    private CountingDisk disk;
    private SpoolFile file;
    private SpooledBody body;

    @BeforeEach
    void write() throws Exception {
        new Random(8).nextBytes(content);
        disk = new CountingDisk(folder);
        file = disk.file(content);
        body = new SpooledBody(file, LENGTH, () -> Fields.EMPTY, pool);
    }

    @AfterEach
    void close() throws Exception {
        body.close();
        assertEquals(0, pool.inUse());
        file.close();
        disk.close();
    }

    /** Reads the remaining bytes of the body, {@code each} bytes at a time. */
    private byte[] readRemainingBytes(int each) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] some = new byte[each];
        for (int n = body.read(some, 0, each); n >= 0; n = body.read(some, 0, each)) {
            assertTrue(n > 0);
            all.write(some, 0, n);
            assertEquals(LENGTH - all.size(), body.available());
        }
        return all.toByteArray();
    }

    @Test
    void theFileIsReadOncePerKilobyteIfTheBodyIsReadByteByByte() throws IOException {
        assertArrayEquals(content, readRemainingBytes(1));
        assertTrue(body.isFinished());
        assertTrue(disk.reads() <= LENGTH / BUFFER + 1, disk.reads() + " reads of the file");
        assertEquals(0, pool.inUse(), "the buffer was not released at the end of the body");
    }

    @Test
    void allBytesAreReturnedInOrderIfTheBodyIsReadInSmallParts() throws IOException {
        assertArrayEquals(content, readRemainingBytes(7));
        assertTrue(disk.reads() <= LENGTH / BUFFER + 1, disk.reads() + " reads of the file");
    }

    @Test
    void theFileIsReadOnceWithoutABufferForALargeRead() throws IOException {
        byte[] large = new byte[LENGTH];
        assertEquals(LENGTH, body.read(large, 0, LENGTH));
        assertArrayEquals(content, large);
        assertEquals(1, disk.reads());
        assertEquals(0, pool.inUse());
    }

    @Test
    void allBytesAreReturnedInOrderByMixedSmallAndLargeReads() throws IOException {
        ByteBuffer all = ByteBuffer.allocate(LENGTH);
        Random random = new Random(9);
        while (all.hasRemaining()) {
            int most = Math.min(all.remaining(), 1 + random.nextInt(3000));
            ByteBuffer some = all.slice(all.position(), most);
            all.position(all.position() + body.read(some));
        }
        assertArrayEquals(content, all.array());
    }

    @Test
    void noBytesAreLostWhenTheBufferIsDropped() throws IOException {
        for (int i = 0; i < 100; i++) {
            byte[] one = new byte[1];
            assertEquals(1, body.read(one, 0, 1));
            assertEquals(content[i], one[0]);
            assertEquals(BUFFER, pool.inUse());
            body.dropBuffer();
            assertEquals(0, pool.inUse());
        }
    }

    @Test
    void noBufferIsInUseAfterTheBodyIsClosed() throws IOException {
        body.read(new byte[1], 0, 1);
        body.close();
        body.close();
        assertEquals(0, pool.inUse());
        byte[] late = new byte[1];
        assertEquals(1, body.read(late, 0, 1), "a read after the close did not return the next byte");
        assertEquals(content[1], late[0]);
        assertEquals(0, pool.inUse());
    }

    @Test
    void readsAreBufferedEvenIfThePoolHasNoFreeSegment() throws IOException {
        List<Segment> taken = new ArrayList<>();
        for (Segment one = pool.tryAcquire(1); one != null; one = pool.tryAcquire(1)) {
            taken.add(one);
        }
        for (Segment one = pool.tryAcquireReserved(); one != null; one = pool.tryAcquireReserved()) {
            taken.add(one);
        }
        assertArrayEquals(content, readRemainingBytes(1));
        assertTrue(disk.reads() <= LENGTH / BUFFER + 1, disk.reads() + " reads of the file");
        taken.forEach(Segment::release);
    }
}
