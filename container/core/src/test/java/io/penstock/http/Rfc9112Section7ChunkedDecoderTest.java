package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.limits.MessageLimits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the decoder of chunked bodies (RFC 9112 section 7.1). Each body is decoded several times: in one piece, and split in several ways
 * ({@link Pieces}). In the tables, a bar means CRLF.
 */
final class Rfc9112Section7ChunkedDecoderTest {
    private static final MessageLimits LIMITS = new MessageLimits(64, 256, 3, 16, 32, 1000);

    /**
     * Returns a text with the body, the trailers and the bytes after the body. If the decoder refuses the body, the text is only the status
     * of the refusal.
     */
    private static String outcome(List<ByteBuffer> pieces, int most) {
        ChunkedDecoder decoder = new ChunkedDecoder(LIMITS);
        StringBuilder body = new StringBuilder();
        StringBuilder behind = new StringBuilder();
        boolean ended = false;
        for (ByteBuffer piece : pieces) {
            ByteBuffer in = piece.duplicate();
            try {
                while (!ended) {
                    int count = decoder.advance(in);
                    if (count == BodyDecoder.END) {
                        ended = true;
                    } else if (count == 0) {
                        break;
                    }
                    for (int i = 0, n = Math.min(most, count); i < n; i++) {
                        body.append((char) in.get());
                        decoder.taken(1);
                    }
                }
            } catch (Violation violation) {
                return String.valueOf(violation.status());
            }
            behind.append(StandardCharsets.ISO_8859_1.decode(in));
        }
        if (!ended) {
            return body + " unfinished";
        }
        StringBuilder trailers = new StringBuilder();
        for (int i = 0; i < decoder.trailers().size(); i++) {
            trailers.append(' ')
                    .append(decoder.trailers().name(i))
                    .append('=')
                    .append(decoder.trailers().value(i));
        }
        return body + " ended" + trailers + " then " + behind.toString().replace("\r\n", "|");
    }

    private static void assertAllSplits(String expected, String bars) {
        for (List<ByteBuffer> pieces : Pieces.of(bars.replace("|", "\r\n"))) {
            for (int most : new int[] {1, 3, 1000}) {
                assertEquals(expected, outcome(pieces, most), bars);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', textBlock = """
        0||~' ended then '
        5|hello|0||~'hello ended then '
        5|hello|6| world|0||~'hello world ended then '
        0005|hello|000||~'hello ended then '
        a|0123456789|A|0123456789|0||~'01234567890123456789 ended then '
        5;a|hello|0;b||~'hello ended then '
        5;a=b;c|hello|0||~'hello ended then '
        5 ; a = b|hello|0||~'hello ended then '
        5;a="b;c"|hello|0||~'hello ended then '
        5;a="\\\\\\""|hello|0||~'hello ended then '
        5|hello|0|A: b||~'hello ended A=b then '
        5|hello|0|A: b|C:  d ||~'hello ended A=b C=d then '
        5|hello|0||GET / HTTP/1.1||~hello ended then GET / HTTP/1.1||
        5|hel~hel unfinished
        5|hello|~hello unfinished
        5|hello|0|~hello unfinished
        5|hello|0|A: b|~hello unfinished
        2||||0||~'|| ended then '
        """)
    void aValidBodyIsReadEvenIfTheInputIsSplit(String message, String expected) {
        assertAllSplits(
                expected.startsWith("|| ") ? expected.replaceFirst("\\|\\|", "\r\n") : expected,
                message.replace("2||||0||", "2|\r\n|0||"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x|",
                "|",
                " 5|hello|0||",
                "5 |hello|0||",
                "+5|hello|0||",
                "-5|hello|0||",
                "0x5|hello|0||",
                "5g|hello|0||",
                "5|helloo|0||",
                "5|hello0||",
                "5\nhello|0||",
                "5|hello\n0||",
                "5|hello\r0||",
                "5;|hello|0||",
                "5;=b|hello|0||",
                "5;a=|hello|0||",
                "5;a=\"b|hello|0||",
                "5;a=\"b\"c|hello|0||",
                "5;a b|hello|0||",
                "5;a=\u0001|hello|0||",
                "5,a|hello|0||",
                "FFFFFFFFFFFFFFFF|",
                "10000000000000000|",
                "8000000000000000|",
                "0|A : b||",
                "0| A: b||",
                "0|A||",
                "0|A: b\n||",
                "0|Content-Length: 5||",
                "0|transfer-encoding: chunked||",
                "0|Host: x||"
            })
    void aMalformedBodyIsRefusedEvenIfTheInputIsSplit(String message) {
        assertAllSplits("400", message);
    }

    @Test
    void aChunkLineThatExceedsTheLimitIsRefusedWith400() {
        assertAllSplits("hello ended then ", "5;" + "a".repeat(15) + "|hello|0||");
        assertAllSplits("400", "5;" + "a".repeat(40) + "|hello|0||");
        assertAllSplits("400", "5;" + "a".repeat(40));
        assertAllSplits("400", "0".repeat(40) + "|hello|0||");
    }

    @Test
    void trailersThatExceedTheLimitsAreRefusedWith431() {
        String exact = "A: " + "b".repeat(27) + "|"; // 32 bytes with its CRLF
        assertAllSplits("hello ended A=" + "b".repeat(27) + " then ", "5|hello|0|" + exact + "|");
        assertAllSplits("431", "5|hello|0|A: " + "b".repeat(28) + "||");
        assertAllSplits("431", "5|hello|0|A: " + "b".repeat(40) + "||");
        assertAllSplits("431", "5|hello|0|A: " + "b".repeat(40));
        assertAllSplits("hello ended A=1 A=1 A=1 then ", "5|hello|0|" + "A:1|".repeat(3) + "|");
        assertAllSplits("431", "5|hello|0|" + "A:1|".repeat(4) + "|");
    }
}
