package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.limits.MessageLimits;
import io.penstock.limits.ServerConfig;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Fuzz test for request heads. The test cuts the input into pieces in several ways. The parser must find the same heads for each way. An
 * accepted head must be well formed. If an accepted head is written and read again, the result must be the same. If the end of the body is
 * ambiguous, the request must be refused.
 */
class RequestHeadFuzzTest {
    /** Small limits, which short inputs can exceed. */
    private static final MessageLimits TIGHT = new MessageLimits(64, 256, 5, 16, 64, 1000);

    private static final Set<Integer> REFUSALS = Set.of(400, 414, 431, 505);

    /**
     * The result of a parser.
     *
     * @param heads the accepted heads
     * @param end {@code refused} if the parser has refused the remaining bytes, {@code inside} if a head is incomplete, otherwise empty
     */
    private record Outcome(List<RequestHead> heads, String end) {
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder();
            heads.forEach(head -> text.append(written(head)));
            return text.append(end).toString();
        }
    }

    private static Outcome read(MessageLimits limits, List<ByteBuffer> pieces) {
        RequestHeadParser parser = new RequestHeadParser(limits);
        List<RequestHead> heads = new ArrayList<>();
        try {
            for (ByteBuffer piece : pieces) {
                ByteBuffer in = piece.duplicate();
                while (in.hasRemaining()) {
                    RequestHead head = parser.parse(in);
                    if (head != null) {
                        heads.add(head);
                    }
                }
            }
        } catch (Violation violation) {
            assertTrue(REFUSALS.contains(violation.status()), () -> "unexpected status " + violation.status());
            return new Outcome(heads, "refused");
        }
        return new Outcome(heads, parser.isInside() ? "inside" : "");
    }

    private static String written(RequestHead head) {
        StringBuilder text = new StringBuilder(
                head.method() + " " + head.target().raw() + " " + head.version().text() + "\r\n");
        for (int i = 0; i < head.fields().size(); i++) {
            text.append(head.fields().name(i))
                    .append(": ")
                    .append(head.fields().value(i))
                    .append("\r\n");
        }
        return text.append("\r\n").toString();
    }

    @FuzzTest
    void headsAreTheSameWhereverTheInputIsCut(byte[] data) {
        Outcome whole = read(TIGHT, List.of(ByteBuffer.wrap(data)));
        for (List<ByteBuffer> pieces : Pieces.some(data)) {
            assertEquals(
                    whole.toString(),
                    read(TIGHT, pieces).toString(),
                    () -> "bytes in the first piece: " + pieces.get(0).remaining());
        }
        for (RequestHead head : whole.heads()) {
            assertWellFormed(head);
            byte[] again = written(head).getBytes(StandardCharsets.ISO_8859_1);
            assertEquals(
                    written(head),
                    read(ServerConfig.defaults().messages(), List.of(ByteBuffer.wrap(again)))
                            .toString());
        }
    }

    private static void assertWellFormed(RequestHead head) {
        String text = head.toString();
        assertTrue(FieldSyntax.isToken(head.method()), text);
        assertTrue(head.target().raw().chars().allMatch(c -> c > ' ' && c < 0x7f), text);
        int hosts = 0;
        int framings = 0;
        for (int i = 0; i < head.fields().size(); i++) {
            String name = head.fields().name(i);
            String value = head.fields().value(i);
            assertTrue(FieldSyntax.isToken(name), text);
            assertTrue(FieldSyntax.isValue(value), text);
            assertEquals(value, value.strip(), text);
            hosts += name.equalsIgnoreCase("Host") ? 1 : 0;
            framings += name.equalsIgnoreCase("Content-Length") || name.equalsIgnoreCase("Transfer-Encoding") ? 1 : 0;
        }
        assertTrue(hosts == 1 || (hosts == 0 && head.version() == Version.HTTP_1_0), text);
        try {
            BodyFraming framing = BodyFraming.of(head);
            assertTrue(framings <= 1, text);
            assertTrue(framing.kind() != BodyFraming.Kind.CHUNKED || head.version() != Version.HTTP_1_0, text);
        } catch (Violation ambiguous) {
            assertTrue(framings > 0, text);
            assertTrue(ambiguous.status() == 400 || ambiguous.status() == 501, text);
        }
    }
}
