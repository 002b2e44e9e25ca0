package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.limits.MessageLimits;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Fuzz test for chunked bodies. The test cuts the input into pieces in several ways. The decoder must find the same body for each way. A
 * second reader uses regular expressions to apply the grammar of RFC 9112 section 7.1 to the whole input. The decoder and the second reader
 * must find the same body.
 */
class ChunkedDecoderFuzzTest {
    private static final MessageLimits TIGHT = new MessageLimits(64, 256, 3, 16, 32, 1000);
    /** Limits that no input of up to {@link #COMPARED} bytes exceeds. */
    private static final MessageLimits WIDE = new MessageLimits(8192, 32_768, 1000, 2048, 8192, 1 << 20);

    /** The second reader reads inputs of up to this number of bytes. */
    private static final int COMPARED = 1000;

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    private static final String QUOTED = "\"(?:[\\t !#-\\[\\]-~\\x80-\\xff]|\\\\[\\t -~\\x80-\\xff])*\"";
    private static final Pattern SIZE_LINE = Pattern.compile(
            "([0-9A-Fa-f]+)(?:[ \\t]*;[ \\t]*" + TOKEN + "(?:[ \\t]*=[ \\t]*(?:" + TOKEN + "|" + QUOTED + "))?)*");
    private static final Pattern TRAILER = Pattern.compile("(" + TOKEN + "):[\\t -~\\x80-\\xff]*");
    private static final Set<String> NO_TRAILERS = Set.of("content-length", "transfer-encoding", "host", "trailer");

    /** Returns, as text, the body and the result of the decoder: ended, refused, or unfinished. */
    private static String read(MessageLimits limits, List<ByteBuffer> pieces, int most) {
        ChunkedDecoder decoder = new ChunkedDecoder(limits);
        StringBuilder body = new StringBuilder();
        boolean ended = false;
        int behind = 0;
        try {
            for (ByteBuffer piece : pieces) {
                ByteBuffer in = piece.duplicate();
                int count = ended ? BodyDecoder.END : decoder.advance(in);
                while (count > 0) {
                    int taken = Math.min(most, count);
                    byte[] bytes = new byte[taken];
                    in.get(bytes);
                    body.append(new String(bytes, StandardCharsets.ISO_8859_1));
                    decoder.taken(taken);
                    count = decoder.advance(in);
                }
                ended = count == BodyDecoder.END;
                behind += in.remaining();
            }
        } catch (Violation refused) {
            return "refused: " + body;
        }
        return ended ? ended(decoder.trailers().size(), behind) + body : "unfinished: " + body;
    }

    private static String ended(int trailers, int behind) {
        return "ended, " + trailers + " trailers, behind it " + behind + ": ";
    }

    /**
     * The second reader. Returns the text that {@link #read} must return for the whole input. Returns null if the body is malformed or
     * incomplete.
     */
    private static @Nullable String reference(String in) {
        StringBuilder body = new StringBuilder();
        int at = 0;
        while (true) {
            int end = in.indexOf("\r\n", at);
            Matcher line = SIZE_LINE.matcher(end < 0 ? "" : in.substring(at, end));
            if (!line.matches()) {
                return null;
            }
            BigInteger size = new BigInteger(line.group(1), 16);
            at = end + 2;
            if (size.signum() == 0) {
                return trailers(in, at, body);
            }
            if (size.compareTo(BigInteger.valueOf(in.length() - at)) > 0
                    || !in.startsWith("\r\n", at + size.intValue())) {
                return null;
            }
            body.append(in, at, at + size.intValue());
            at += size.intValue() + 2;
        }
    }

    private static @Nullable String trailers(String in, int from, StringBuilder body) {
        int at = from;
        for (int count = 0; ; count++) {
            int end = in.indexOf("\r\n", at);
            if (end == at) {
                return ended(count, in.length() - at - 2) + body;
            }
            Matcher line = TRAILER.matcher(end < 0 ? "" : in.substring(at, end));
            if (!line.matches() || NO_TRAILERS.contains(line.group(1).toLowerCase(Locale.ROOT))) {
                return null;
            }
            at = end + 2;
        }
    }

    @FuzzTest
    void theBodyIsTheSameWhereverTheInputIsCut(byte[] data) {
        for (MessageLimits limits : List.of(TIGHT, WIDE)) {
            String whole = read(limits, List.of(ByteBuffer.wrap(data)), Integer.MAX_VALUE);
            for (List<ByteBuffer> pieces : Pieces.some(data)) {
                assertEquals(whole, read(limits, pieces, 1 + data.length % 3));
            }
            if (limits == WIDE && data.length <= COMPARED) {
                String expected = reference(new String(data, StandardCharsets.ISO_8859_1));
                assertEquals(expected != null, whole.startsWith("ended"), () -> whole + "\n" + expected);
                if (expected != null) {
                    assertEquals(expected, whole);
                }
            }
        }
    }
}
