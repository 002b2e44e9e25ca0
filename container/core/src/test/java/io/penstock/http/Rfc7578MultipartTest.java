package io.penstock.http;

import static io.penstock.PromptWaits.PATIENCE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.commons.fileupload2.core.AbstractFileUpload;
import org.apache.commons.fileupload2.core.DiskFileItem;
import org.apache.commons.fileupload2.core.DiskFileItemFactory;
import org.apache.commons.fileupload2.core.FileItemInput;
import org.apache.commons.fileupload2.core.FileItemInputIterator;
import org.apache.commons.fileupload2.core.FileUploadException;
import org.apache.commons.fileupload2.core.RequestContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the parser of multipart forms. Most bodies are parsed in one piece, in two pieces for each offset, and byte by byte. In random
 * forms, the parser must find the same parts as Apache Commons FileUpload.
 */
class Rfc7578MultipartTest {
    private static final String FIELD = "Content-Disposition: form-data; name=\"a\"\r\n\r\n";

    /** Collects the parts that the parser finds. */
    private static final class Collector implements PartSink {
        final List<PartHeaders> headers = new ArrayList<>();
        final List<String> contents = new ArrayList<>();
        private ByteArrayOutputStream content = new ByteArrayOutputStream();

        @Override
        public void begin(PartHeaders part, long position) {
            headers.add(part);
            content = new ByteArrayOutputStream();
        }

        @Override
        public void data(byte[] bytes, int offset, int length) {
            content.write(bytes, offset, length);
        }

        @Override
        public void end() {
            contents.add(content.toString(ISO_8859_1));
        }

        List<String> summary() {
            List<String> parts = new ArrayList<>();
            for (int i = 0; i < contents.size(); i++) {
                PartHeaders part = headers.get(i);
                parts.add(part.name() + "|" + part.fileName() + "|" + part.contentType() + "|" + contents.get(i));
            }
            return parts;
        }
    }

    private static Collector parse(String boundary, MultipartLimits limits, byte[]... pieces)
            throws IOException, Violation {
        Collector collector = new Collector();
        MultipartParser parser = new MultipartParser(boundary, limits, collector);
        for (byte[] piece : pieces) {
            parser.feed(piece, 0, piece.length);
        }
        parser.finish();
        return collector;
    }

    private static byte[] slice(byte[] bytes, int from, int to) {
        return Arrays.copyOfRange(bytes, from, to);
    }

    /** Parses the body in one piece, in two pieces for each offset, and byte by byte. All results must be the same. */
    private static Collector parseWholeAndInPieces(String boundary, byte[] body) throws IOException, Violation {
        MultipartLimits limits = MultipartLimits.defaults();
        Collector whole = parse(boundary, limits, body);
        for (int cut = 0; cut <= body.length; cut++) {
            Collector pieces = parse(boundary, limits, slice(body, 0, cut), slice(body, cut, body.length));
            assertEquals(whole.summary(), pieces.summary(), "the parts of a body that is cut at byte " + cut);
        }
        byte[][] bytes = new byte[body.length][];
        for (int i = 0; i < body.length; i++) {
            bytes[i] = slice(body, i, i + 1);
        }
        assertEquals(
                whole.summary(),
                parse(boundary, limits, bytes).summary(),
                "the parts of a body that arrives byte by byte");
        return whole;
    }

    private static Collector parseWholeAndInPieces(String boundary, String body) throws IOException, Violation {
        return parseWholeAndInPieces(boundary, body.getBytes(ISO_8859_1));
    }

    private static int refusal(String boundary, String body) {
        return refusal(boundary, MultipartLimits.defaults(), body);
    }

    private static int refusal(String boundary, MultipartLimits limits, String body) {
        byte[] bytes = body.getBytes(ISO_8859_1);
        int status = assertThrows(Violation.class, () -> parse(boundary, limits, bytes))
                .status();
        for (int i = 0; i <= bytes.length; i++) {
            int cut = i;
            Violation same = assertThrows(
                    Violation.class,
                    () -> parse(boundary, limits, slice(bytes, 0, cut), slice(bytes, cut, bytes.length)));
            assertEquals(status, same.status(), "the status for a body that is cut at byte " + cut);
        }
        return status;
    }

    @Test
    void aFormWithAFieldAndAFileIsParsed() throws IOException, Violation {
        String body = "--AaB03x\r\n" + "content-disposition: form-data; name=\"field1\"\r\n" + "\r\n"
                + "Joe Blow\r\n" + "--AaB03x\r\n"
                + "Content-Disposition: form-data; name=\"pics\"; filename=\"file1.txt\"\r\n"
                + "Content-Type: text/plain; charset=x\r\n" + "X-Folded: one\r\n two\r\n" + "\r\n"
                + "line\r\n\r\n--AaB03\r\n-\r\r\n\r\n" + "--AaB03x--\r\n";
        Collector form = parseWholeAndInPieces("AaB03x", body);
        assertEquals(
                List.of(
                        "field1|null|null|Joe Blow",
                        "pics|file1.txt|text/plain; charset=x|line\r\n\r\n--AaB03\r\n-\r\r\n"),
                form.summary());
        assertEquals("one two", form.headers.get(1).fields().first("x-folded"));
    }

    @Test
    void thePreambleAndTheEpilogueOfABodyAreIgnored() throws IOException, Violation {
        String body = "to be\r\nignored --b\r\n--b \t\r\n" + FIELD + "1\r\n--b--\r\n--b\r\nnot a part\r\n--b--";
        assertEquals(List.of("a|null|null|1"), parseWholeAndInPieces("b", body).summary());
        assertEquals(
                List.of("a|null|null|1"),
                parseWholeAndInPieces("b", "--b\r\n" + FIELD + "1\r\n--b--").summary());
        assertEquals(
                List.of("a|null|null|1"),
                parseWholeAndInPieces("b", "\r\n--b\r\n" + FIELD + "1\r\n--b--").summary());
    }

    @Test
    void formsAndPartsCanBeEmpty() throws IOException, Violation {
        assertEquals(List.of(), parseWholeAndInPieces("b", "--b--\r\n").summary());
        assertEquals(
                List.of("a|null|null|"),
                parseWholeAndInPieces("b", "--b\r\n" + FIELD + "\r\n--b--").summary());
        assertEquals(
                List.of("a|null|null|"),
                parseWholeAndInPieces("b", "--b\r\n" + FIELD + "--b--").summary());
        assertEquals(
                List.of("a|null|null|\r\n"),
                parseWholeAndInPieces("b", "--b\r\n" + FIELD + "\r\n\r\n--b--").summary());
        assertEquals(
                List.of("a|null|null|--c"),
                parseWholeAndInPieces("b", "--b\r\n" + FIELD + "--c\r\n--b--").summary());
    }

    @Test
    void incompleteDelimitersAreReadAsContent() throws IOException, Violation {
        String nearly = "\r\n--boun\r\n--bound\r\r\n\r\n-\r\n--\r\n--boundarx\n--boundary\r--boundary";
        assertEquals(
                List.of("a|null|null|" + nearly),
                parseWholeAndInPieces("boundary", "--boundary\r\n" + FIELD + nearly + "\r\n--boundary--")
                        .summary());
    }

    @Test
    void aDelimiterWithTextAfterTheBoundaryIsRefused() {
        assertEquals(400, refusal("b", "--b\r\n" + FIELD + "x\r\n--bound\r\n--b--"));
    }

    private static PartHeaders disposition(String parameters) throws IOException, Violation {
        String body = "--b\r\nContent-Disposition: form-data; " + parameters + "\r\n\r\n\r\n--b--";
        return parse("b", MultipartLimits.defaults(), body.getBytes(UTF_8))
                .headers
                .get(0);
    }

    @Test
    void fileNamesAreReadInTheFormatsThatBrowsersUse() throws IOException, Violation {
        assertNull(disposition("name=a").fileName());
        assertEquals("", disposition("name=a; filename=\"\"").fileName());
        assertEquals(
                "x;y=\".txt",
                disposition("name=\"a\";filename=\"x;y=\\\".txt\"").fileName());
        assertEquals(
                "C:\\temp\\x.txt",
                disposition("filename=\"C:\\temp\\x.txt\"; name=\"a\"").fileName());
        assertEquals(
                "C:\\temp", disposition("name=\"a\"; filename=\"C:\\\\temp\"").fileName());
        assertEquals(
                "\u20ac \u00fc.txt",
                disposition("name=\"a\"; filename=\"\u20ac \u00fc.txt\"").fileName());
        assertEquals("a%22b", disposition("name=\"a\"; filename=\"a%22b\"").fileName());
        assertEquals("filename=x", disposition("name=\"filename=x\"").name());
    }

    @Test
    void theExtendedFileNameParameterReplacesThePlainFileName() throws IOException, Violation {
        assertEquals(
                "\u20ac rates",
                disposition("name=a; filename=\"EURO\"; filename*=UTF-8''%e2%82%ac%20rates")
                        .fileName());
        assertEquals(
                "\u00a3", disposition("name=a; filename*=iso-8859-1'en'%A3").fileName());
        assertThrows(Violation.class, () -> disposition("name=a; filename*=UTF-8''%zz"));
        assertThrows(Violation.class, () -> disposition("name=a; filename*=x"));
        assertThrows(Violation.class, () -> disposition("name=a; filename*=utf-7''x"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nothing",
                "--b",
                "--b\r\n",
                "--b-",
                "--b\r\n\r\n--b--",
                "--b\r\nno colon\r\n\r\n\r\n--b--",
                "--b\r\nna me: x\r\n\r\n\r\n--b--",
                "--b\r\nContent-Type: a/b\r\n\r\n\r\n--b--",
                "--b\r\nContent-Disposition: form-data\r\n\r\n\r\n--b--",
                "--b\r\nContent-Disposition: attachment; name=a\r\n\r\n\r\n--b--",
                "--b\r\nContent-Disposition: form-data; filename=x\r\n\r\n\r\n--b--",
                "--b\r\nContent-Disposition: form-data; name=a\n\n\r\n--b--",
                "--b\r\nContent-Disposition: form-data; name=a\rX: y\r\n\r\n\r\n--b--",
                "--b\r\nContent-Disposition: form-data; name=a\u0000\r\n\r\n\r\n--b--",
                "--b\r\n Content-Disposition: form-data; name=a\r\n\r\n\r\n--b--",
                "--b\n" + FIELD + "\r\n--b--",
                "--b x\r\n" + FIELD + "\r\n--b--",
                "--b\r\r\n" + FIELD + "\r\n--b--",
                "--b\r\n" + FIELD + "unfinished",
                "--b\r\n" + FIELD + "unfinished\r\n--b",
                "--b\r\n" + FIELD + "unfinished\r\n--b-",
                "--b\r\n" + FIELD + "unfinished\r\n--b -",
            })
    void aMalformedBodyIsRefused(String body) {
        assertEquals(400, refusal("b", body));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ends in space ",
                "line\nend",
                "f\u00fc",
                "0123456789012345678901234567890123456789012345678901234567890123456789x"
            })
    void anInvalidBoundaryIsRefused(String boundary) {
        assertThrows(Violation.class, () -> new MultipartParser(boundary, MultipartLimits.defaults(), new Collector()));
        assertThrows(
                Violation.class, () -> MultipartParser.boundary(new MediaType("multipart", "form-data", Map.of())));
    }

    @Test
    void aFormThatExceedsALimitIsRefusedWith413() throws IOException, Violation {
        String part = "--b\r\n" + FIELD + "x\r\n";
        String body = part + part + "--b--";
        assertEquals(413, refusal("b", TightForms.multipart(1, 128, 1000), body));
        assertEquals(413, refusal("b", TightForms.multipart(2, 128, body.length() - 1), body));
        String longHeader = "--b\r\nX-Long: " + "x".repeat(128) + "\r\n" + FIELD + "\r\n--b--";
        assertEquals(413, refusal("b", TightForms.multipart(2, 128, 1000), longHeader));
        assertEquals(413, refusal("b", TightForms.multipart(3, 128, 3 * FIELD.length() - 1, 1000), part + body));
        assertEquals(
                2,
                parse("b", TightForms.multipart(2, 128, body.length()), body.getBytes(ISO_8859_1))
                        .contents
                        .size());
    }

    @Test
    void aBodyWithManyLineBreaksIsParsedInLinearTime() {
        byte[] body = ("--b\r\n" + FIELD + "\r\n--".repeat(2_000_000) + "\r\n--b--").getBytes(ISO_8859_1);
        assertTimeoutPreemptively(PATIENCE, () -> {
            Collector collector = new Collector();
            MultipartParser parser = new MultipartParser("b", MultipartLimits.defaults(), collector);
            parser.parse(new ByteArrayInputStream(body));
            assertEquals(8_000_000, collector.contents.get(0).length());
        });
    }

    /** Returns the parts that Apache Commons FileUpload finds in the body. */
    private static List<String> commonsFileUpload(String boundary, byte[] body) throws IOException {
        RequestContext context = new RequestContext() {
            @Override
            public String getCharacterEncoding() {
                return "UTF-8";
            }

            @Override
            public long getContentLength() {
                return body.length;
            }

            @Override
            public String getContentType() {
                return "multipart/form-data; boundary=" + boundary;
            }

            @Override
            public InputStream getInputStream() {
                return new ByteArrayInputStream(body);
            }

            @Override
            public boolean isMultipartRelated() {
                return false;
            }
        };
        AbstractFileUpload<RequestContext, DiskFileItem, DiskFileItemFactory> upload = new AbstractFileUpload<>() {
            @Override
            public FileItemInputIterator getItemIterator(RequestContext request) throws IOException {
                return super.getItemIterator(request);
            }

            @Override
            public Map<String, List<DiskFileItem>> parseParameterMap(RequestContext request)
                    throws FileUploadException {
                return super.parseParameterMap(request);
            }

            @Override
            public List<DiskFileItem> parseRequest(RequestContext request) throws FileUploadException {
                return super.parseRequest(request);
            }
        };
        List<String> parts = new ArrayList<>();
        FileItemInputIterator items = upload.getItemIterator(context);
        while (items.hasNext()) {
            FileItemInput item = items.next();
            String content = new String(item.getInputStream().readAllBytes(), ISO_8859_1);
            parts.add(item.getFieldName() + "|" + item.getName() + "|" + item.getContentType() + "|" + content);
        }
        return parts;
    }

    @Test
    void theParserFindsTheSamePartsAsCommonsFileUploadInRandomForms() throws IOException, Violation {
        Random random = new Random(7578);
        String[] crumbs = {
            "\r", "\n", "\r\n", "-", "--", "--b", "-bo", "\r\n--bo", "\r\n-", "x", "\u00ff", "\u0000", "undary"
        };
        for (int round = 0; round < 300; round++) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            for (int part = 1 + random.nextInt(3); part > 0; part--) {
                String file = random.nextBoolean() ? "; filename=\"f" + part + ".bin\"\r\nContent-Type: a/b" : "";
                body.write(("--boundary\r\nContent-Disposition: form-data; name=\"n" + part + "\"" + file + "\r\n\r\n")
                        .getBytes(ISO_8859_1));
                String content = random.ints(random.nextInt(20), 0, crumbs.length)
                        .mapToObj(i -> crumbs[i])
                        .collect(Collectors.joining());
                body.write(content.replace("boundary", "boundarx").getBytes(ISO_8859_1));
                body.write("\r\n".getBytes(ISO_8859_1));
            }
            body.write("--boundary--\r\n".getBytes(ISO_8859_1));
            byte[] bytes = body.toByteArray();
            assertEquals(
                    commonsFileUpload("boundary", bytes),
                    parseWholeAndInPieces("boundary", bytes).summary());
        }
    }
}
