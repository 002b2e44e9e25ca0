package io.penstock.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.FakeExchange;
import io.penstock.exchange.FakeResponse;
import io.penstock.exchange.ResponseSink;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.limits.Compression;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.Origin;
import io.penstock.pipe.Segment;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests when compressed bytes are sent. Also tests that the compressor and the segments (buffers) are released after each kind of failure.
 */
class CompressingSinkTest {
    private static final byte[] NOISE = new byte[20_000];

    static {
        new Random(1).nextBytes(NOISE);
    }

    @TempDir
    Path folder;

    private final FakeExchange exchange = FakeExchange.of("GET /", "Accept-Encoding: gzip");
    private final FakeResponse sent = exchange.response();
    private final Compressors compressors = new Compressors(1, () -> {});
    private final ResponseSink sink = CompressingSink.of(exchange, rules(), compressors);

    private static Compression rules() {
        return new ConfigurationSources()
                .flag("compression", "on", new Origin.Code())
                .resolve()
                .application("/")
                .compression();
    }

    private void head(long length) {
        sink.head(new ResponseHead(200, new FieldList().add("Content-Type", "text/plain"), length));
    }

    private Segment segment(int from) {
        Segment segment = sink.segment();
        segment.buffer().put(NOISE, from, FakeResponse.SEGMENT).flip();
        return segment;
    }

    private byte[] decoded() throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(sent.bytes()))) {
            return in.readAllBytes();
        }
    }

    @AfterEach
    void assertAllReleased() {
        assertEquals(0, compressors.inUse());
        assertEquals(0, sent.outstanding());
    }

    @Test
    void aCompleteBodyIsSentWithItsCompressedLength() throws IOException {
        head(5_000);
        for (int i = 0; i < 9; i++) {
            sink.gather(segment(i * FakeResponse.SEGMENT));
        }
        assertEquals(List.of(), sent.calls());
        sink.write(segment(9 * FakeResponse.SEGMENT), true);
        assertEquals(sent.bytes().length, sent.head().contentLength());
        assertEquals(10 * FakeResponse.SEGMENT, decoded().length);
        assertTrue(sent.isEnded());
        // The call of finish() after the end must have no effect.
        sink.finish(Fields.EMPTY);
        assertThrows(IOException.class, () -> sink.write(segment(0), true), "bytes after the end were accepted");
    }

    @Test
    void compressedBytesAreSentInFullSegmentsOrByAFlush() throws IOException {
        head(-1);
        sink.write(segment(0), false);
        assertEquals(List.of(), sent.calls());
        sink.flush();
        assertTrue(
                sent.calls().get(sent.calls().size() - 1).equals("flush"),
                sent.calls().toString());
        int flushed = sent.bytes().length;
        assertTrue(flushed > FakeResponse.SEGMENT);
        sink.flush();
        assertEquals(flushed, sent.bytes().length, "a second flush sent bytes");
        sink.write(ByteBuffer.wrap(NOISE), false);
        assertTrue(sent.bytes().length > 10_000);
        sink.finish(Fields.EMPTY);
        assertEquals(FakeResponse.SEGMENT + NOISE.length, decoded().length);
    }

    @Test
    void anAbortReleasesTheCompressorAtOnce() throws IOException {
        head(-1);
        sink.write(segment(0), false);
        assertEquals(1, compressors.inUse());
        sink.abort(new IOException("the client has gone"));
        assertEquals(0, compressors.inUse());
        assertNotNull(sent.aborted());
        assertThrows(IOException.class, () -> sink.write(segment(0), false));
        assertThrows(IOException.class, () -> sink.write(ByteBuffer.wrap(NOISE), true));
        assertThrows(IOException.class, sink::flush);
    }

    @Test
    void anAbortBeforeTheFirstBytesReleasesTheCompressor() {
        head(-1);
        sink.abort(new IOException("the client has gone"));
        assertThrows(IOException.class, () -> sink.write(segment(0), false));
    }

    @Test
    void aDisconnectOfTheClientReleasesTheCompressor() throws IOException {
        head(-1);
        sink.write(ByteBuffer.wrap(NOISE), false);
        sent.fail(new IOException("reset"));
        sink.write(segment(0), false);
        assertThrows(IOException.class, sink::flush);
        assertEquals(0, compressors.inUse());
    }

    @Test
    void aWriteOfAFileCompressesAndClosesTheFile() throws IOException {
        head(NOISE.length);
        Path file = Files.write(folder.resolve("noise.txt"), NOISE);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            sink.write(channel, 0, NOISE.length, true);
            assertFalse(channel.isOpen());
        }
        assertEquals(NOISE.length, decoded().length);
    }

    @Test
    void aWriteOfATooShortFileThrowsEofExceptionAndClosesTheFile() throws IOException {
        head(NOISE.length + 1);
        Path file = Files.write(folder.resolve("noise.txt"), NOISE);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            assertThrows(EOFException.class, () -> sink.write(channel, 0, NOISE.length + 1, true));
            assertFalse(channel.isOpen());
        }
        assertEquals(0, compressors.inUse());
    }

    @Test
    void informationalResponsesAndEmptyBodiesAreNotCompressed() throws IOException {
        sink.informational(103, Fields.EMPTY);
        head(0);
        sink.finish(Fields.EMPTY);
        assertEquals(List.of("informational 103", "finish"), sent.calls());
        assertEquals(0, sent.head().contentLength());
    }
}
