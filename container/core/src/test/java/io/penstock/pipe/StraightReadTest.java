package io.penstock.pipe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.pipe.RequestPipe.Offered;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checks reads from a source directly into the segments of a {@link RequestPipe}. */
final class StraightReadTest {
    private static final int SEGMENT = 1024;
    private static final int CAPACITY = 8 * SEGMENT;

    private final byte[] all = new byte[3 * CAPACITY];
    private final ByteBuffer sent = ByteBuffer.wrap(all).limit(0);
    private final SegmentPool pool = new SegmentPool(SEGMENT, 12 * SEGMENT);
    private final RequestPipe pipe = new RequestPipe(pool, CAPACITY, () -> {});
    private final RequestPipe.Inlet inlet = pipe.inlet();
    private final RequestPipe.Outlet outlet = pipe.outlet();

    StraightReadTest() {
        new Random(1).nextBytes(all);
    }

    @AfterEach
    void everySegmentIsReleased() {
        outlet.close();
        assertEquals(0, pool.inUse());
    }

    @Test
    void aReadFillsTheLastSegmentAndThenNewSegments() throws IOException {
        sent.limit(100);
        assertEquals(Offered.ALL, inlet.offer(sent));
        sent.limit(3000);
        assertEquals(2900, inlet.read(this::read, 5000));
        assertEquals(3000, inlet.size());
        assertEquals(3 * SEGMENT, pool.inUse());
        sent.limit(4000);
        assertEquals(1000, inlet.read(this::read, 5000));
        assertEquals(4 * SEGMENT, pool.inUse());
        assertContent(4000);
    }

    @Test
    void aReadFillsASegmentWhoseFirstBytesWereConsumed() throws IOException {
        sent.limit(100);
        inlet.offer(sent);
        assertEquals(40, outlet.read(new byte[40], 0, 40));
        sent.limit(SEGMENT);
        assertEquals(SEGMENT - 100, inlet.read(this::read, 5000));
        assertEquals(SEGMENT, pool.inUse());
        byte[] rest = new byte[SEGMENT];
        assertEquals(SEGMENT - 40, outlet.read(rest, 0, SEGMENT));
        assertArrayEquals(Arrays.copyOfRange(all, 40, SEGMENT), Arrays.copyOf(rest, SEGMENT - 40));
    }

    @Test
    void readsDoNotExceedTheRequestedCount() throws IOException {
        sent.limit(5000);
        assertEquals(1500, inlet.read(this::read, 1500));
        assertEquals(10, inlet.read(this::read, 10));
        assertEquals(2 * SEGMENT, pool.inUse());
        assertContent(1510);
    }

    @Test
    void readsDoNotExceedTheRoomOfThePipe() throws IOException {
        sent.limit(2 * CAPACITY);
        assertEquals(CAPACITY, inlet.read(this::read, 2 * CAPACITY));
        assertEquals(0, inlet.read(this::read, 2 * CAPACITY));
        assertContent(CAPACITY);
    }

    @Test
    void aReadHoldsNoMemoryIfItGetsNoBytes() throws IOException {
        assertEquals(0, inlet.read(this::read, 5000));
        assertEquals(-1, inlet.read(target -> -1, 5000));
        assertEquals(0, pool.inUse());
    }

    @Test
    void readsDoNotExceedTheFreeMemory() throws IOException {
        RequestPipe other = new RequestPipe(pool, CAPACITY, () -> {});
        assertEquals(Offered.ALL, other.inlet().offer(ByteBuffer.allocate(CAPACITY)));
        sent.limit(CAPACITY);
        int room = pool.room() * SEGMENT;
        assertEquals(room, inlet.read(this::read, CAPACITY));
        assertEquals(0, inlet.read(this::read, CAPACITY));
        assertEquals(CAPACITY - room, sent.remaining());
        other.outlet().close();
        assertContent(room);
    }

    @Test
    void aPipeWithAClosedOutletReadsNothingFromTheSource() throws IOException {
        sent.limit(100);
        outlet.close();
        assertEquals(0, inlet.read(this::read, 100));
        assertEquals(100, sent.remaining());
    }

    @Test
    void bytesReadBeforeAFailureStayInThePipe() throws IOException {
        sent.limit(SEGMENT);
        assertThrows(IOException.class, () -> inlet.read(this::readOrFail, 5000));
        assertEquals(SEGMENT, inlet.size());
        assertContent(SEGMENT);
    }

    private int read(ByteBuffer target) {
        int count = Math.min(sent.remaining(), target.remaining());
        target.put(sent.slice(sent.position(), count));
        sent.position(sent.position() + count);
        return count;
    }

    private int readOrFail(ByteBuffer target) throws IOException {
        if (!sent.hasRemaining()) {
            throw new IOException("reset");
        }
        return read(target);
    }

    private void assertContent(int count) throws IOException {
        byte[] content = new byte[count];
        assertEquals(count, outlet.available());
        assertEquals(count, outlet.read(content, 0, count));
        assertArrayEquals(Arrays.copyOf(all, count), content);
    }
}
