package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.MessageLimits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the parser of request heads (RFC 9112 sections 2 to 5). Most tests parse each head several times: in one piece, in two pieces (cut at
 * each offset), and byte by byte ({@link Pieces}). In the tables, a bar means CRLF.
 */
final class Rfc9112RequestHeadTest {
    private static final MessageLimits LIMITS = new MessageLimits(64, 256, 5, 16, 64, 1000);

    /**
     * Returns a text with each head that the parser read. If a head is refused, the text ends with the status of the refusal. If the last
     * head is incomplete, the text ends with "inside".
     */
    private static String outcome(MessageLimits limits, List<ByteBuffer> pieces) {
        RequestHeadParser parser = new RequestHeadParser(limits);
        List<String> heads = new ArrayList<>();
        for (ByteBuffer piece : pieces) {
            try {
                ByteBuffer copy = piece.duplicate();
                while (copy.hasRemaining()) {
                    RequestHead head = parser.parse(copy);
                    if (head != null) {
                        heads.add(text(head));
                    }
                }
            } catch (Violation violation) {
                heads.add(String.valueOf(violation.status()));
                return heads.toString();
            }
        }
        return heads + (parser.isInside() ? " inside" : "");
    }

    private static String text(RequestHead head) {
        StringBuilder text = new StringBuilder(
                head.method() + " " + head.target().raw() + " " + head.version().text());
        for (int i = 0; i < head.fields().size(); i++) {
            text.append('|')
                    .append(head.fields().name(i))
                    .append('=')
                    .append(head.fields().value(i));
        }
        return text.toString();
    }

    private static void assertAllSplits(String expected, MessageLimits limits, String message) {
        for (List<ByteBuffer> pieces : Pieces.of(message)) {
            assertEquals(
                    expected,
                    outcome(limits, pieces),
                    () -> "the first piece has " + pieces.get(0).remaining() + " bytes: " + message);
        }
    }

    private static String crlf(String bars) {
        return bars.replace("|", "\r\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        GET / HTTP/1.1|Host: x||; GET / HTTP/1.1|Host=x
        |GET / HTTP/1.1|Host: x||; GET / HTTP/1.1|Host=x
        GET / HTTP/1.0||; GET / HTTP/1.0
        GET / HTTP/1.2|Host:x||; GET / HTTP/1.1|Host=x
        get /a?b=c&d HTTP/1.1|host:x||; get /a?b=c&d HTTP/1.1|host=x
        M-SEARCH * HTTP/1.0||; 400
        OPTIONS * HTTP/1.1|Host: x||; OPTIONS * HTTP/1.1|Host=x
        GET http://a:80/b HTTP/1.1|Host: x||; GET http://a:80/b HTTP/1.1|Host=x
        GET / HTTP/1.1|Host: [::1]:80||; GET / HTTP/1.1|Host=[::1]:80
        GET / HTTP/1.1|Host: x|A:|B:   ||; GET / HTTP/1.1|Host=x|A=|B=
        GET / HTTP/1.1|Host: x|A: b c ||; GET / HTTP/1.1|Host=x|A=b c
        GET / HTTP/1.1|Host: x|A: 1|a: 2||; GET / HTTP/1.1|Host=x|A=1|a=2
        GET /%41%2F HTTP/1.1|Host: x||; GET /%41%2F HTTP/1.1|Host=x
        """)
    void headsAreReadEvenIfTheInputIsSplit(String message, String expected) {
        assertAllSplits(expected.equals("400") ? "[400]" : "[" + expected + "]", LIMITS, crlf(message));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        400; ||GET / HTTP/1.1|Host: x||
        400; ' GET / HTTP/1.1|Host: x||'
        400; GET  / HTTP/1.1|Host: x||
        400; GET /  HTTP/1.1|Host: x||
        400; GET / HTTP/1.1 |Host: x||
        400; GET /|Host: x||
        400; GET|Host: x||
        400; G(T / HTTP/1.1|Host: x||
        400; GET / http/1.1|Host: x||
        400; GET / HTTP/1|Host: x||
        400; GET / HTTP/1.10|Host: x||
        400; GET / HTTP/1.x|Host: x||
        400; GET / XTTP/1.1|Host: x||
        400; GET a HTTP/1.1|Host: x||
        400; GET * HTTP/1.1|Host: x||
        400; GET /a#b HTTP/1.1|Host: x||
        400; GET /<a> HTTP/1.1|Host: x||
        400; GET ftp://x/ HTTP/1.1|Host: x||
        400; GET http:///a HTTP/1.1|Host: x||
        400; GET http://u@x/ HTTP/1.1|Host: x||
        400; CONNECT /a HTTP/1.1|Host: x||
        400; GET / HTTP/1.1||
        400; GET / HTTP/1.1|Host: x|Host: x||
        400; GET / HTTP/1.1|Host: a b||
        400; GET / HTTP/1.1|Host: x:y||
        400; GET / HTTP/1.1|Host: x:99999||
        400; GET / HTTP/1.1|Host: x/y||
        400; GET / HTTP/1.0|Host: a,b|Host: c||
        400; GET / HTTP/1.1|Host : x||
        400; GET / HTTP/1.1|: x||
        400; GET / HTTP/1.1|Host||
        400; GET / HTTP/1.1| Host: x||
        400; GET / HTTP/1.1|Host: x| folded||
        400; GET / HTTP/1.1|Host: x|A(: b||
        505; GET / HTTP/2.0|Host: x||
        505; GET / HTTP/0.9|Host: x||
        505; PRI * HTTP/2.0||
        """)
    void malformedHeadsAreRefusedEvenIfTheInputIsSplit(String status, String message) {
        assertAllSplits("[" + status + "]", LIMITS, crlf(message));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\nHost: x\n\n",
                "GET / HTTP/1.1\r\nHost: x\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\n\n",
                "GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n",
                "GET / HTTP/1.1\rHost: x\r\n\r\n",
                "GET /\r HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nA: b\u0000\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nA: b\u007f\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nA\u0001: b\r\n\r\n",
                "GET /\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /\u0000 HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET\t/ HTTP/1.1\r\nHost: x\r\n\r\n",
                "\u0016\u0003\u0001\u0002",
                "\n"
            })
    void headsWithABareCrOrABareLfOrAControlCharacterAreRefused(String message) {
        assertAllSplits("[400]", LIMITS, message);
    }

    @Test
    void fieldValuesCanContainTabsAndNonAsciiBytes() {
        assertAllSplits(
                "[GET / HTTP/1.1|Host=x|A=b\tc\u00e9]",
                LIMITS,
                "GET / HTTP/1.1\r\nHost: x\r\nA:\t b\tc\u00e9\t \r\n\r\n");
    }

    @Test
    void pipelinedHeadsAreReadEvenIfTheInputIsSplit() {
        assertAllSplits(
                "[GET /a HTTP/1.1|Host=x, PUT /b HTTP/1.1|Host=y|A=b, GET /c HTTP/1.0] inside",
                LIMITS,
                "GET /a HTTP/1.1\r\n"
                        + "Host: x\r\n\r\n\r\n"
                        + "PUT /b HTTP/1.1\r\n"
                        + "Host: y\r\n"
                        + "A: b\r\n\r\n"
                        + "GET /c HTTP/1.0\r\n\r\n"
                        + "GE");
    }

    @Test
    void theParserDoesNotConsumeTheBytesAfterAHead() throws Violation {
        String head = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n";
        String body = "GE\r\n".repeat(1500); // a body that is much longer than the head
        for (int cut = 1; cut <= head.length(); cut++) {
            byte[] bytes = (head + body).getBytes(StandardCharsets.US_ASCII);
            RequestHeadParser parser = new RequestHeadParser(LIMITS);
            ByteBuffer first = ByteBuffer.wrap(bytes, 0, cut);
            RequestHead found = parser.parse(first);
            ByteBuffer second = ByteBuffer.wrap(bytes, cut, bytes.length - cut);
            if (found == null) {
                found = parser.parse(second);
            }
            assertNotNull(found);
            assertFalse(first.hasRemaining());
            assertEquals(body.length(), second.remaining(), "bytes after a head that is cut at byte " + cut);
            assertFalse(parser.isInside());
        }
    }

    @Test
    void theParserIsInsideAHeadAfterTheFirstByteOfTheHead() throws Violation {
        RequestHeadParser parser = new RequestHeadParser(LIMITS);
        assertFalse(parser.isInside());
        assertNull(parser.parse(ByteBuffer.wrap(new byte[] {'G'})));
        assertTrue(parser.isInside());
    }

    @Test
    void theFieldsOfAHeadDoNotChangeWhenTheNextHeadIsParsed() throws Violation {
        RequestHeadParser parser = new RequestHeadParser(LIMITS);
        byte[] first = "GET /a HTTP/1.1\r\nHost: first\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] second = "GET /b HTTP/1.1\r\nHost: secnd\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        RequestHead head = parser.parse(ByteBuffer.wrap(first));
        assertNotNull(parser.parse(ByteBuffer.wrap(second)));
        assertEquals("first", head.fields().first("host"));
    }

    // ---- limits: each test reaches a limit exactly, and then exceeds this limit

    @Test
    void aRequestLineThatExceedsTheLimitIsRefusedWith414() {
        String exact = "GET /" + "a".repeat(64 - 14) + " HTTP/1.1";
        assertEquals(64, exact.length());
        assertAllSplits("[" + exact + "|Host=x]", LIMITS, exact + "\r\nHost: x\r\n\r\n");
        assertAllSplits("[414]", LIMITS, exact.replace("/a", "/aa") + "\r\nHost: x\r\n\r\n");
        assertAllSplits("[414]", LIMITS, "GET /" + "a".repeat(100));
    }

    @Test
    void aHeadWithTooManyBytesInItsFieldsIsRefusedWith431() {
        String start = "GET / HTTP/1.1\r\n";
        String exact = "Host: x\r\nA: " + "b".repeat(256 - 9 - 3 - 2) + "\r\n";
        assertEquals(256, exact.length());
        String value = "b".repeat(256 - 14);
        assertAllSplits("[GET / HTTP/1.1|Host=x|A=" + value + "]", LIMITS, start + exact + "\r\n");
        assertAllSplits("[431]", LIMITS, start + exact.replace("A: ", "A:  ") + "\r\n");
        assertAllSplits("[431]", LIMITS, start + "A: " + "b".repeat(300));
    }

    @Test
    void aHeadWithTooManyFieldsIsRefusedWith431() {
        String start = "GET / HTTP/1.1\r\nHost: x\r\n";
        assertAllSplits("[GET / HTTP/1.1|Host=x|A=1|A=1|A=1|A=1]", LIMITS, start + "A: 1\r\n".repeat(4) + "\r\n");
        assertAllSplits("[431]", LIMITS, start + "A: 1\r\n".repeat(5) + "\r\n");
    }
}
