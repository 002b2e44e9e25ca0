package io.penstock.request;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.FakeResponse;
import io.penstock.pipe.Segment;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Tests that the encoder writes valid gzip data (RFC 1952). The class {@code GZIPInputStream} of the JDK decodes the data. */
class GzipEncoderTest {
    private final FakeResponse sink = new FakeResponse();
    private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

    private void send(GzipEncoder encoder) {
        for (Segment segment = encoder.poll(); segment != null; segment = encoder.poll()) {
            byte[] bytes = new byte[segment.buffer().remaining()];
            segment.buffer().get(bytes);
            sent.writeBytes(bytes);
            segment.release();
        }
    }

    private byte[] decoded() throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(sent.toByteArray()))) {
            return in.readAllBytes();
        }
    }

    /** Decodes the bytes that have been sent so far. Returns at most {@code count} decoded bytes. */
    private byte[] decodedSoFar(int count) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(sent.toByteArray()))) {
            return in.readNBytes(count);
        }
    }

    @Test
    void anEmptyBodyIsEncodedAsAGzipMember() throws IOException {
        GzipEncoder encoder = new GzipEncoder(deflater, sink::segment);
        encoder.sync();
        assertTrue(encoder.isEmpty(), "sync() without content has produced bytes");
        encoder.finish();
        long length = encoder.compressed();
        send(encoder);
        assertEquals(length, sent.size());
        assertArrayEquals(new byte[0], decoded());
        deflater.end();
    }

    @Test
    void flushedBytesAndFinishedBodiesCanBeDecoded() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            ByteArrayOutputStream given = new ByteArrayOutputStream();
            GzipEncoder encoder = new GzipEncoder(deflater, sink::segment);
            for (int piece = random.nextInt(8); piece > 0; piece--) {
                byte[] bytes = new byte[random.nextInt(random.nextBoolean() ? 50 : 3_000)];
                if (random.nextBoolean()) {
                    random.nextBytes(bytes);
                }
                ByteBuffer source = random.nextBoolean()
                        ? ByteBuffer.wrap(bytes)
                        : ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
                encoder.put(source);
                assertEquals(0, source.remaining());
                // The caller may reuse the buffer after put(). So the encoder must not read the buffer later.
                source.clear();
                given.writeBytes(bytes);
                if (random.nextInt(3) == 0) {
                    encoder.sync();
                    send(encoder);
                    assertArrayEquals(given.toByteArray(), decodedSoFar(given.size()), "seed " + seed);
                    encoder.sync();
                    assertTrue(encoder.isEmpty(), "a second sync() without new content has produced bytes");
                }
            }
            encoder.finish();
            long length = encoder.compressed();
            send(encoder);
            assertEquals(length, sent.size());
            assertArrayEquals(given.toByteArray(), decoded(), "seed " + seed);
            assertEquals(0, sink.outstanding());
            sent.reset();
            deflater.reset();
        }
        deflater.end();
    }

    @Test
    void segmentsOfAnAbortedBodyAreReleased() {
        GzipEncoder encoder = new GzipEncoder(deflater, sink::segment);
        byte[] noise = new byte[10_000];
        new Random(1).nextBytes(noise);
        encoder.put(ByteBuffer.wrap(noise));
        encoder.sync();
        assertTrue(sink.outstanding() > 100);
        encoder.release();
        assertEquals(0, sink.outstanding());
        deflater.end();
    }
}
