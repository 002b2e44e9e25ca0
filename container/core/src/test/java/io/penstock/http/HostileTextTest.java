package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Each parser that reads text from clients gets random combinations of tokens from its grammar. The parser must return a value, or refuse
 * the text with a {@link Violation}. The parser must not throw any other exception.
 */
class HostileTextTest {
    private static final int TEXTS = 50_000;

    /** A parser of text from a client. */
    private interface Parser {
        void read(String text) throws Violation, IOException;
    }

    private static void assertReadsOrRefuses(Parser reader, String... pieces) throws IOException {
        Random random = new Random(pieces.length);
        for (int round = 0; round < TEXTS; round++) {
            StringBuilder text = new StringBuilder();
            for (int left = random.nextInt(14); left > 0; left--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            try {
                reader.read(text.toString());
            } catch (Violation refused) {
                assertTrue(refused.status() == 400 || refused.status() == 413, text.toString());
                assertEquals(0, refused.getStackTrace().length);
            }
        }
    }

    @Test
    void randomPathsAreReadOrRefused() throws IOException {
        String[] pieces = {
            "/", ".", "..", ";", "=", "%", "%2", "%2e", "%C3%BC", "%C0", "a", "//", "\\", "\u00fc", "\ud800"
        };
        assertReadsOrRefuses(RequestPath::of, pieces);
        assertReadsOrRefuses(RequestPath::ofApplication, pieces);
    }

    @Test
    void randomFormsAreReadOrRefused() throws IOException {
        assertReadsOrRefuses(
                text -> new FormParser(TightForms.limits(5, 100), TightForms.memory())
                        .parse(text, StandardCharsets.UTF_8),
                "&",
                "=",
                "%",
                "%4",
                "%41",
                "%C3%BC",
                "%E2%82",
                "+",
                "a",
                "\u00fc",
                "\u20ac");
    }

    @Test
    void randomFieldValuesAreReadOrRefused() throws IOException {
        String[] pieces = {
            ";",
            "=",
            "\"",
            "\\",
            ",",
            " ",
            "\t",
            "a",
            "b/c",
            "/",
            "q=0.5",
            "q=",
            "*",
            "W/\"x\"",
            "bytes=",
            "0-",
            "-1",
            "9-2",
            "99999999999999999999",
            "charset=",
            "\u0000",
            "\u00fc"
        };
        assertReadsOrRefuses(MediaType::parse, pieces);
        assertReadsOrRefuses(text -> AcceptLanguage.parse(List.of(text)), pieces);
        assertReadsOrRefuses(text -> ByteRanges.parse(text, 10), pieces);
        assertReadsOrRefuses(text -> ByteRanges.parse("bytes=" + text, 10), pieces);
        assertReadsOrRefuses(text -> Cookies.of(new FieldList().add("Cookie", text), 100, TightForms.memory()), pieces);
        assertReadsOrRefuses(EntityTag::parse, pieces);
        assertReadsOrRefuses(
                text -> {
                    FieldList fields = new FieldList();
                    for (String name : List.of("If-Match", "If-None-Match", "If-Modified-Since", "If-Range")) {
                        fields.add(name, text);
                    }
                    Preconditions.evaluate("GET", fields, Validators.NONE);
                    Preconditions.rangeApplies(fields, Validators.NONE);
                },
                pieces);
    }

    @Test
    void randomMultipartBodiesAreReadOrRefused() throws IOException {
        assertReadsOrRefuses(
                text -> {
                    MultipartParser parser =
                            new MultipartParser("b", TightForms.multipart(2, 128, 1000), new OrderedSink());
                    byte[] body = ("--b\r\n" + text).getBytes(StandardCharsets.ISO_8859_1);
                    parser.feed(body, 0, body.length);
                    parser.finish();
                },
                "\r\n",
                "\r",
                "\n",
                "--b",
                "--",
                "-",
                " ",
                ":",
                ";",
                "\r\n\r\n",
                "Content-Disposition: form-data; name=a",
                "; filename=\"",
                "; filename*=",
                "UTF-8''",
                "%C3%BC",
                "\"",
                "\\",
                "\r\n--b\r\n",
                "\r\n--b--");
    }

    /** Checks the order of the calls for each part: begin, data, end. */
    private static final class OrderedSink implements PartSink {
        private int open;

        @Override
        public void begin(PartHeaders headers, long position) {
            assertEquals(0, open++);
        }

        @Override
        public void data(byte[] bytes, int offset, int length) {
            assertEquals(1, open);
            assertTrue(length > 0);
        }

        @Override
        public void end() {
            assertEquals(1, open--);
        }
    }
}
