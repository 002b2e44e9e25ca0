package io.penstock.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.exchange.FakeResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that only one thread at a time uses a compressor, and that the compressor is returned exactly once. */
class EncoderLeaseTest {
    private final AtomicInteger refused = new AtomicInteger();
    private final Compressors compressors = new Compressors(2, refused::incrementAndGet);
    private final FakeResponse sink = new FakeResponse();

    private EncoderLease lease() {
        return EncoderLease.of(compressors, sink::segment);
    }

    @AfterEach
    void assertAllReleased() {
        assertEquals(0, compressors.inUse());
        assertEquals(0, sink.outstanding());
        compressors.close();
    }

    @Test
    void theNumberOfCompressorsInUseIsLimited() {
        EncoderLease first = lease();
        EncoderLease second = lease();
        assertNull(lease());
        assertEquals(1, refused.get());
        assertEquals(2, compressors.inUse());
        second.close();
        EncoderLease third = lease();
        assertNotNull(third);
        third.close();
        first.close();
    }

    @Test
    void aCompressorIsReturnedExactlyOnce() throws IOException {
        EncoderLease unused = lease();
        unused.close();
        unused.close();
        assertEquals(0, compressors.inUse());

        EncoderLease aborted = lease();
        aborted.take().put(ByteBuffer.wrap(new byte[100]));
        aborted.close();
        assertEquals(1, compressors.inUse(), "the compressor was returned although a thread still used it");
        aborted.putBack();
        assertEquals(0, compressors.inUse());
        assertThrows(IOException.class, aborted::take);
        aborted.close();

        EncoderLease completed = lease();
        completed.take().finish();
        completed.complete();
        assertEquals(0, compressors.inUse(), "complete() has not returned the compressor");
        completed.close();
        completed.putBack();
    }

    @Test
    void aClosedLeaseCannotBeUsed() throws IOException {
        EncoderLease closed = lease();
        closed.take();
        closed.putBack();
        closed.close();
        assertThrows(IOException.class, closed::take);
    }

    @Test
    void aCompressorCanBeReturnedAfterTheServerHasStopped() throws IOException {
        EncoderLease late = lease();
        late.take().put(ByteBuffer.wrap(new byte[10]));
        compressors.close();
        late.close();
        late.putBack();
    }
}
