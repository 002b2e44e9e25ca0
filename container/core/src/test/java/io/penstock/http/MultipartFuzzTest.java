package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fuzz test for multipart forms. The test cuts the input into pieces in several ways. The parser must find the same parts for each way. The
 * content of each part must begin at the reported position in the input. If the form is on disk, the content of the part is read from this
 * position. If an accepted form is written and read again, the result must be the same.
 */
class MultipartFuzzTest {
    private static final MultipartLimits TIGHT = TightForms.multipart(3, 128, Long.MAX_VALUE);
    private static final MultipartLimits WIDE = TightForms.multipart(1000, 1 << 20, Long.MAX_VALUE);

    /** A part, and the position of its content in the body. */
    private record Found(PartHeaders headers, long position, byte[] content) {
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < headers.fields().size(); i++) {
                text.append(headers.fields().name(i))
                        .append(": ")
                        .append(headers.fields().value(i))
                        .append("\r\n");
            }
            return text + "\r\n" + new String(content, StandardCharsets.ISO_8859_1);
        }
    }

    /** Collects the parts, and checks the order of the calls: begin, data, end. */
    private static final class Parts implements PartSink {
        final List<Found> found = new ArrayList<>();
        private @Nullable PartHeaders open;
        private long position;
        private final ByteArrayOutputStream content = new ByteArrayOutputStream();

        @Override
        public void begin(PartHeaders headers, long at) {
            assertEquals(null, open);
            open = headers;
            position = at;
            content.reset();
        }

        @Override
        public void data(byte[] bytes, int offset, int length) {
            assertTrue(open != null && length > 0);
            content.write(bytes, offset, length);
        }

        @Override
        public void end() {
            assertTrue(open != null);
            found.add(new Found(open, position, content.toByteArray()));
            open = null;
        }
    }

    /** Returns the parts and their positions as text. If the form is refused, the text begins with the status of the refusal. */
    private static String read(MultipartLimits limits, List<ByteBuffer> pieces, Parts parts) {
        String end = "";
        try {
            MultipartParser parser = new MultipartParser("b", limits, parts);
            for (ByteBuffer piece : pieces) {
                // As in the server, the bytes are in the middle of an array.
                byte[] array = new byte[piece.remaining() + 4];
                piece.duplicate().get(array, 3, piece.remaining());
                parser.feed(array, 3, piece.remaining());
            }
            parser.finish();
        } catch (Violation refused) {
            end = "refused " + refused.status() + "\n";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        StringBuilder text = new StringBuilder(end);
        parts.found.forEach(part -> text.append(part.position()).append('\n').append(part));
        return text.toString();
    }

    @FuzzTest
    void theFormIsTheSameWhereverTheInputIsCut(byte[] data) throws IOException {
        for (MultipartLimits limits : List.of(TIGHT, WIDE)) {
            Parts parts = new Parts();
            String whole = read(limits, List.of(ByteBuffer.wrap(data)), parts);
            for (List<ByteBuffer> pieces : Pieces.some(data)) {
                assertEquals(whole, read(limits, pieces, new Parts()));
            }
            assertTrue(parts.found.size() <= limits.parts());
            for (Found part : parts.found) {
                int start = (int) part.position();
                assertEquals(
                        ByteBuffer.wrap(part.content()),
                        ByteBuffer.wrap(Arrays.copyOfRange(data, start, start + part.content().length)));
            }
            if (!whole.startsWith("refused")) {
                assertFormIsTheSameWhenWrittenAndReadAgain(parts.found);
            }
        }
    }

    private static void assertFormIsTheSameWhenWrittenAndReadAgain(List<Found> found) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (Found part : found) {
            String text = part.toString();
            String header = "--b\r\n" + text.substring(0, text.length() - part.content().length);
            body.write(header.getBytes(StandardCharsets.UTF_8));
            body.write(part.content());
            body.write("\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        body.write("--b--".getBytes(StandardCharsets.US_ASCII));
        Parts again = new Parts();
        String text = read(WIDE, List.of(ByteBuffer.wrap(body.toByteArray())), again);
        assertFalse(text.startsWith("refused"), text);
        assertEquals(found.toString(), again.found.toString());
        for (int i = 0; i < found.size(); i++) {
            assertEquals(
                    found.get(i).headers().name(), again.found.get(i).headers().name());
            assertEquals(
                    found.get(i).headers().fileName(),
                    again.found.get(i).headers().fileName());
        }
    }
}
