package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.SimulatedLink;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
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
