package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.SimulatedLink;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * If the body comes from a segment or a buffer, the server must send the head and the first bytes of the body in one system call. If the
 * body comes from a file, the worker must not wait until the whole file is sent.
 */
final class OneWriteTest {
    private final LoneResponse lone = new LoneResponse();
    private final Http1Response response = lone.response;
    private final SimulatedLink link = lone.link;

    @AfterEach
    void checkThatAllSegmentsAreReleased() throws Exception {
        lone.close();
    }

    private String taken() {
        return lone.taken();
    }

    private void assertOneWriteThatEndsWith(String end) {
        assertEquals(1, link.writes.size(), () -> "the writes " + link.writes + " of the bytes " + taken());
        assertTrue(taken().startsWith("HTTP/1.1 200 "), taken());
        assertTrue(taken().endsWith(end), taken());
        assertEquals(0, link.signals);
    }

    @Test
    void aSegmentIsSentInOneWriteWithTheHead() throws IOException {
        link.room = 100_000;
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.write(lone.segment("hello"), true);
        assertOneWriteThatEndsWith("Content-Length: 5\r\n\r\nhello");
    }

    @Test
    void theHeadOfASmallBodyIsPutIntoTheSegmentOfTheBody() throws IOException {
        link.room = 100_000;
        int segments = lone.pool.room();
        response.head(new ResponseHead(200, new FieldList().add("X-Test", "1"), 5));
        Segment body = lone.segment("_hello");
        body.buffer().position(1);
        response.write(body, true);
        assertOneWriteThatEndsWith("Content-Length: 5\r\n\r\nhello");
        assertEquals(link.taken.size(), link.mostOffered, "the size of the only buffer of the write");
        assertEquals(segments, lone.pool.room());
        assertTrue(response.isEnded() && response.isWhole());
        assertTrue(lone.out.isEmpty());
    }

    @Test
    void aResponseWithoutABodyIsSentPastThePipe() throws IOException {
        link.room = 100_000;
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.finish(Fields.EMPTY);
        assertOneWriteThatEndsWith("Content-Length: 0\r\n\r\n");
        assertEquals(link.taken.size(), link.mostOffered);
        assertTrue(response.isEnded() && response.isWhole());
    }

    @Test
    void theBytesOfABodyThatMustNotBeSentAreDropped() throws IOException {
        link.room = 100_000;
        response.head(new ResponseHead(304, Fields.EMPTY, -1));
        response.write(lone.segment("hello"), true);
        assertTrue(taken().startsWith("HTTP/1.1 304 "), taken());
        assertTrue(taken().endsWith("\r\n\r\n"), taken());
        assertEquals(1, link.writes.size());
        assertTrue(response.isEnded());
    }

    @Test
    void theReactorSendsTheRestOfASmallResponse() throws IOException {
        link.room = 20;
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.write(lone.segment("hello"), true);
        assertTrue(response.isEnded());
        assertEquals(LinkWriter.STALLED, link.signals);
        assertEquals("HTTP/1.1 200 OK\r\nDat", taken());
        link.room = 100_000;
        assertTrue(lone.out.reactorFlush());
        assertTrue(taken().endsWith("Content-Length: 5\r\n\r\nhello"), taken());
    }

    @Test
    void aSmallResponseFollowsTheBytesBeforeIt() throws IOException {
        link.room = 4;
        lone.pipe.appendWhole(lone.buffer("earlier "));
        lone.out.workerFlush();
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.write(lone.segment("hello"), true);
        assertEquals("earl", taken());
        link.room = 100_000;
        assertTrue(lone.out.reactorFlush());
        assertTrue(taken().startsWith("earlier HTTP/1.1 200 "), taken());
        assertTrue(taken().endsWith("Content-Length: 5\r\n\r\nhello"), taken());
    }

    @Test
    void aSmallResponseOnABrokenLinkHasEndedAndIsNotSent() {
        link.broken = new IOException("reset");
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        assertThrows(IOException.class, () -> response.write(lone.segment("hello"), true));
        assertTrue(response.isEnded());
        assertEquals(LinkWriter.FAILED, link.signals);
        assertTrue(lone.pipe.hasFailed());
    }

    @Test
    void aHeadThatDoesNotFitBesideTheBodyHasASegmentOfItsOwn() throws IOException {
        link.room = 100_000;
        String value = "v".repeat(15_000);
        response.head(new ResponseHead(200, new FieldList().add("X-Test", value), -1));
        response.write(lone.segment("hello"), true);
        assertOneWriteThatEndsWith("X-Test: " + value + "\r\nContent-Length: 5\r\n\r\nhello");
    }

    @Test
    void noSegmentIsLostIfTheHeadIsInvalid() throws IOException {
        response.head(new ResponseHead(200, new FieldList().add("X-Test", null), -1));
        assertThrows(NullPointerException.class, () -> response.write(lone.segment("hello"), true));
        assertEquals(0, lone.pool.inUse());
    }

    @Test
    void moreBytesThanTheHeadHasPromisedAreNotSent() throws IOException {
        link.room = 100_000;
        response.head(new ResponseHead(200, Fields.EMPTY, 4));
        assertThrows(IOException.class, () -> response.write(lone.segment("hello"), true));
        assertFalse(response.isEnded());
        assertEquals(0, link.writes.size());
    }

    @Test
    void aFullSegmentIsSentInOneWriteWithTheHead() throws IOException {
        link.room = 100_000;
        String body = "x".repeat(lone.pool.segmentSize());
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.write(lone.segment(body), true);
        assertOneWriteThatEndsWith("Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    @Test
    void aBufferOfTheCallerIsSentInOneWriteWithTheHead() throws IOException {
        link.room = 100_000;
        String body = "x".repeat(50_000);
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.write(lone.buffer(body), true);
        assertOneWriteThatEndsWith("Content-Length: 50000\r\n\r\n" + body);
    }

    @Test
    void theFirstChunkFromASegmentIsSentInOneWriteWithTheHead() throws IOException {
        link.room = 100_000;
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.write(lone.segment("hello"), false);
        assertOneWriteThatEndsWith("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
    }

    @Test
    void eachSmallChunkIsOneBuffer() throws IOException {
        link.room = 100_000;
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.write(lone.segment("hello"), false);
        assertEquals(link.taken.size(), link.mostOffered);
        int head = link.taken.size();
        link.mostOffered = 0;
        Segment second = lone.segment("__second chunk");
        second.buffer().position(2);
        response.write(second, false);
        assertEquals("c\r\nsecond chunk\r\n", taken().substring(head));
        assertEquals(link.taken.size() - head, link.mostOffered);
        assertFalse(response.isEnded());
        response.write(lone.segment("."), true);
        assertEquals("c\r\nsecond chunk\r\n1\r\n.\r\n0\r\n\r\n", taken().substring(head));
        assertEquals(3, link.writes.size());
        assertEquals(0, link.signals);
        assertTrue(response.isEnded() && response.isWhole() && lone.out.isEmpty());
    }

    @Test
    void gatheredChunksAreSentInOneWriteWithTheNext() throws IOException {
        link.room = 100_000;
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.gather(lone.segment("one"));
        response.gather(lone.segment("two"));
        assertEquals("", taken());
        response.write(lone.segment("three"), true);
        assertOneWriteThatEndsWith("Transfer-Encoding: chunked\r\n\r\n3\r\none\r\n3\r\ntwo\r\n5\r\nthree\r\n0\r\n\r\n");
    }

    @Test
    void aChunkThatIsTooLargeForTheCopyIsSentInOneWriteWithItsFraming() throws IOException {
        link.room = 100_000;
        String body = "x".repeat(lone.pool.segmentSize() / 2);
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.write(lone.segment(body), true);
        assertOneWriteThatEndsWith("Content-Length: 8192\r\n\r\n" + body);
    }

    @Test
    void partsOfABodyWithALengthFollowEachOtherIfTheSocketIsFull() throws IOException {
        link.room = 100_000;
        response.head(new ResponseHead(200, Fields.EMPTY, 11));
        response.write(lone.segment("hello"), false);
        link.room = 2;
        response.write(lone.segment(" wor"), false);
        response.write(lone.segment("ld"), true);
        assertTrue(taken().endsWith("\r\n\r\nhello w"), taken());
        assertTrue(response.isEnded());
        assertEquals(LinkWriter.STALLED, link.signals);
        link.room = 100_000;
        assertTrue(lone.out.reactorFlush());
        assertTrue(taken().endsWith("\r\n\r\nhello world"), taken());
    }

    @Test
    void aPartThatMakesTheBodyTooLongIsNotSent() throws IOException {
        link.room = 100_000;
        response.head(new ResponseHead(200, Fields.EMPTY, 6));
        response.write(lone.segment("hello"), false);
        assertThrows(IOException.class, () -> response.write(lone.segment("hello"), true));
        assertTrue(taken().endsWith("\r\n\r\nhello"), taken());
    }

    @Test
    void anAbortedResponseSendsNoFurtherChunk() throws IOException {
        link.room = 100_000;
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.write(lone.segment("hello"), false);
        response.abort(new IOException("enough"));
        assertThrows(IOException.class, () -> response.write(lone.segment("more"), false));
        assertTrue(taken().endsWith("5\r\nhello\r\n"), taken());
        assertTrue(response.isEnded() && response.isAborted());
    }

    @Test
    void theFirstChunkFromABufferOfTheCallerIsSentInOneWriteWithTheHead() throws IOException {
        link.room = 100_000;
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.write(lone.buffer("hello"), false);
        assertOneWriteThatEndsWith("Transfer-Encoding: chunked\r\n\r\n5\r\nhello"); // CRLF comes with the next chunk
    }

    @Test
    void theWorkerSendsTheHeadAndOnlyTheFirstPartOfAFile(@TempDir Path folder) throws IOException {
        int size = 1_000_000;
        int part = 256 * 1024;
        Path path = Files.writeString(folder.resolve("file"), "f".repeat(size), StandardCharsets.US_ASCII);
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        link.room = 10_000_000;
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.write(file, 0, size, true); // returns before the file is sent, so the worker does not wait
        assertTrue(response.isEnded());
        assertTrue(file.isOpen());
        assertEquals(LinkWriter.STALLED, link.signals, "the signal that the reactor must send the remaining bytes");
        assertEquals(List.of((long) head(), (long) part), link.writes);
        assertTrue(taken().substring(0, head()).endsWith("Content-Length: " + size + "\r\n\r\n"), taken());
        int parts = 1;
        while (!lone.out.reactorFlush()) {
            parts++;
            assertEquals(parts * part, link.taken.size() - head(), "bytes sent after " + parts + " parts of the file");
        }
        assertEquals(size, link.taken.size() - head());
        assertFalse(file.isOpen());
    }

    private int head() {
        return taken().indexOf("\r\n\r\n") + 4;
    }
}
