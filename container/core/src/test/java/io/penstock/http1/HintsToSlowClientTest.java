package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.LinkWriter;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Early hints (RFC 8297) for a client that does not read: they take the memory of one, and the writer does not wait. */
final class HintsToSlowClientTest {
    private static final String HINT = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n";
    private static final Fields LINK = new FieldList().add("Link", "</a.css>");

    private final LoneResponse lone = new LoneResponse();

    @AfterEach
    void checkThatAllSegmentsAreReleased() throws Exception {
        lone.close();
    }

    @Test
    void hintsAreDroppedWhileTheClientHasNotTakenAnEarlierOne() throws IOException {
        for (int i = 0; i < 1_000_000; i++) {
            lone.response.earlyHints(LINK);
        }
        assertEquals(HINT.length(), lone.pipe.size());
        assertEquals(lone.pool.segmentSize(), lone.pool.inUse());
        lone.link.room = 100_000;
        assertTrue(lone.out.reactorFlush());
        lone.response.earlyHints(LINK);
        lone.response.head(new ResponseHead(200, Fields.EMPTY, 0));
        lone.response.finish(Fields.EMPTY);
        assertTrue(lone.taken().startsWith(HINT + HINT + "HTTP/1.1 200 OK\r\n"), lone.taken());
    }

    @Test
    void aHintIsSentBehindTheEndOfAnEarlierResponseThatWasLeftForIt() throws IOException {
        lone.pipe.append(lone.segment("end"));
        lone.link.room = 100_000;
        lone.response.earlyHints(LINK);
        assertEquals("end" + HINT, lone.taken());
    }

    @Test
    void aHintLargerThanASegmentIsSent() throws IOException {
        lone.link.room = 1_000_000;
        String value = "x".repeat(2 * lone.pool.segmentSize());
        lone.response.earlyHints(new FieldList().add("Link", value));
        assertEquals("HTTP/1.1 103 Early Hints\r\nLink: " + value + "\r\n\r\n", lone.taken());
    }

    @Test
    void aHintBehindTheHeadOrAfterTheEndOfTheConnectionHasNoEffect() throws IOException {
        lone.link.room = 100_000;
        lone.response.head(new ResponseHead(200, Fields.EMPTY, -1));
        lone.response.earlyHints(LINK);
        assertEquals("", lone.taken());
        lone.pipe.fail(new IOException("gone"));
        lone.response.earlyHints(LINK);
        assertEquals("", lone.taken());
        assertEquals(0, lone.link.takeSignals() & LinkWriter.FAILED);
    }
}
