package io.penstock.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Compression;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.Origin;
import jakarta.servlet.DispatcherType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A compressed sibling is a compressed copy next to a file, such as app.js.gz next to app.js. If the client accepts the content coding, the
 * server sends the bytes of the sibling instead of the file.
 */
class PrecompressedFilesTest {
    private static final String ORIGINAL = "the file itself";
    private static final String BROTLI = "brotli:0123456789";
    private static final String ZSTANDARD = "zstandard";
    private static final String GZIP = "gzip";

    @TempDir
    Path folder;

    private FileServing files;

    @BeforeEach
    void open() throws Exception {
        files = new FileServing(folder.resolve("root"))
                .compression(rules())
                .file("app.js", ORIGINAL)
                .file("app.js.br", BROTLI)
                .file("app.js.zst", ZSTANDARD)
                .file("app.js.gz", GZIP);
    }

    private static Compression rules() {
        return new ConfigurationSources()
                .flag("compression", "precompressed", new Origin.Code())
                .flag("compression-excluded-agents", "OldBrowser/1", new Origin.Code())
                .resolve()
                .application("/")
                .compression();
    }

    @AfterEach
    void close() throws Exception {
        files.close();
    }

    private FakeResponse get(String path, String... fields) throws Exception {
        return files.answer(request("GET", path, fields));
    }

    private static FakeRequest request(String method, String path, String... fields) {
        FakeRequest request = new FakeRequest(method, path);
        for (int i = 0; i < fields.length; i += 2) {
            request.with(fields[i], fields[i + 1]);
        }
        return request;
    }

    @Test
    void theSiblingWithTheBestAcceptedCodingIsSent() throws Exception {
        FakeResponse response = get("/app.js", "Accept-Encoding", "gzip, br, zstd");
        assertEquals(200, response.getStatus());
        assertEquals(BROTLI, response.text());
        assertEquals("br", response.fields.first("Content-Encoding"));
        assertEquals(List.of("Accept-Encoding"), response.fields.all("Vary"));
        assertEquals("text/javascript;charset=UTF-8", response.getContentType());
        assertEquals(BROTLI.length(), response.length());
        assertEquals("bytes", response.fields.first("Accept-Ranges"));
        assertEquals(ZSTANDARD, get("/app.js", "Accept-Encoding", "gzip, zstd").text());
        assertEquals("zstd", get("/app.js", "Accept-Encoding", "zstd").fields.first("Content-Encoding"));
        assertEquals(GZIP, get("/app.js", "Accept-Encoding", "gzip, br;q=0.9").text());
        assertEquals("gzip", get("/app.js", "Accept-Encoding", "x-gzip").fields.first("Content-Encoding"));
    }

    @Test
    void theUncompressedFileIsSentWithAVaryFieldIfNoSiblingIsSuitable() throws Exception {
        for (FakeResponse response : List.of(
                get("/app.js"),
                get("/app.js", "Accept-Encoding", "deflate"),
                get("/app.js", "Accept-Encoding", "gzip;q=0.5, identity"),
                get("/app.js", "Accept-Encoding", "br", "User-Agent", "Mozilla/4.0 OldBrowser/1.5"))) {
            assertEquals(ORIGINAL, response.text());
            assertNull(response.fields.first("Content-Encoding"));
            assertEquals(List.of("Accept-Encoding"), response.fields.all("Vary"));
        }
    }

    @Test
    void aFileWithoutSiblingsIsSentWithoutAVaryField() throws Exception {
        files.file("alone.js", "x");
        FakeResponse response = get("/alone.js", "Accept-Encoding", "br");
        assertEquals("x", response.text());
        assertEquals(List.of(), response.fields.all("Vary"));
    }

    @Test
    void siblingsAreIgnoredIfCompressionIsOff() throws Exception {
        files.compression(Compression.OFF);
        FakeResponse response = get("/app.js", "Accept-Encoding", "br");
        assertEquals(ORIGINAL, response.text());
        assertEquals(List.of(), response.fields.all("Vary"));
    }

    @Test
    void theVaryFieldAndTheContentEncodingFieldAreKeptIfAFilterHasSetThem() throws Exception {
        FakeResponse response = new FakeResponse();
        response.setHeader("Vary", "Origin, accept-encoding");
        files.answer(request("GET", "/app.js", "Accept-Encoding", "br"), response);
        assertEquals(List.of("Origin, accept-encoding"), response.fields.all("Vary"));
        response = new FakeResponse();
        response.setHeader("Vary", "Origin");
        files.answer(request("GET", "/app.js", "Accept-Encoding", "br"), response);
        assertEquals(List.of("Origin", "Accept-Encoding"), response.fields.all("Vary"));
        response = new FakeResponse();
        response.setHeader("Content-Encoding", "gzip");
        files.answer(request("GET", "/app.js", "Accept-Encoding", "br"), response);
        assertEquals(ORIGINAL, response.text(), "a sibling was sent although the response is already encoded");
    }

    @Test
    void eachContentCodingHasADifferentEntityTag() throws Exception {
        String tag = get("/app.js", "Accept-Encoding", "br").fields.first("ETag");
        assertTrue(tag.matches("\"[0-9a-f]+-11-br\""), tag);
        assertNotEquals(tag, get("/app.js").fields.first("ETag"));
        FakeResponse unchanged = get("/app.js", "Accept-Encoding", "br", "If-None-Match", tag);
        assertEquals(304, unchanged.getStatus());
        assertEquals(tag, unchanged.fields.first("ETag"));
        assertEquals(List.of("Accept-Encoding"), unchanged.fields.all("Vary"));
        assertNull(unchanged.fields.first("Content-Encoding"));
        assertEquals(
                200,
                get("/app.js", "Accept-Encoding", "gzip", "If-None-Match", tag).getStatus());
        assertEquals(200, get("/app.js", "If-None-Match", tag).getStatus());
        assertEquals(412, get("/app.js", "If-Match", tag).getStatus());
        assertEquals(
                200, get("/app.js", "Accept-Encoding", "br", "If-Match", tag).getStatus());
    }

    @Test
    void lastModifiedIsTheModificationTimeOfTheSibling() throws Exception {
        Instant later = FileServing.MODIFIED.plusSeconds(10);
        files.file("app.js.br", BROTLI.getBytes(StandardCharsets.US_ASCII), later);
        assertEquals(
                "Sun, 06 Nov 1994 08:49:47 GMT",
                get("/app.js", "Accept-Encoding", "br").fields.first("Last-Modified"));
        assertEquals(
                200,
                get("/app.js", "Accept-Encoding", "br", "If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT")
                        .getStatus());
        assertEquals(
                304,
                get("/app.js", "Accept-Encoding", "br", "If-Modified-Since", "Sun, 06 Nov 1994 08:49:47 GMT")
                        .getStatus());
    }

    @Test
    void aRangeRefersToTheBytesOfTheSibling() throws Exception {
        FakeResponse part = get("/app.js", "Accept-Encoding", "br", "Range", "bytes=7-9");
        assertEquals(206, part.getStatus());
        assertEquals("012", part.text());
        assertEquals("bytes 7-9/17", part.fields.first("Content-Range"));
        assertEquals("br", part.fields.first("Content-Encoding"));
        String tag = part.fields.first("ETag");
        String[] resumed = {"Accept-Encoding", "br", "Range", "bytes=7-9", "If-Range", tag};
        assertEquals(206, get("/app.js", resumed).getStatus());
        resumed[1] = "gzip";
        assertEquals(GZIP, get("/app.js", resumed).text(), "a range was sent for the tag of the Brotli sibling");
        FakeResponse beyond = get("/app.js", "Accept-Encoding", "br", "Range", "bytes=17-");
        assertEquals(416, beyond.getStatus());
        assertEquals("bytes */17", beyond.fields.first("Content-Range"));
    }

    @Test
    void theWholeSiblingIsSentIfSeveralRangesAreRequested() throws Exception {
        files.file("long.js", new byte[1_000]).file("long.js.br", BROTLI.repeat(30));
        FakeResponse whole = get("/long.js", "Accept-Encoding", "br", "Range", "bytes=0-1,300-301");
        assertEquals(200, whole.getStatus());
        assertEquals(BROTLI.repeat(30), whole.text());
        assertEquals(206, get("/long.js", "Range", "bytes=0-1,300-301").getStatus());
    }

    @Test
    void aResponseToHeadHasTheSameFieldsAsAResponseToGet() throws Exception {
        FakeResponse get = get("/app.js", "Accept-Encoding", "br");
        FakeResponse head = files.answer(request("HEAD", "/app.js", "Accept-Encoding", "br"));
        assertEquals("", head.text());
        assertEquals(get.length(), head.length());
        for (String name : List.of("Content-Encoding", "Vary", "ETag", "Last-Modified", "Accept-Ranges")) {
            assertEquals(get.fields.all(name), head.fields.all(name), name);
        }
    }

    @Test
    void aSiblingThatIsOlderThanTheFileIsNotSent() throws Exception {
        Instant earlier = FileServing.MODIFIED.minusMillis(1);
        files.file("app.js.br", BROTLI.getBytes(StandardCharsets.US_ASCII), earlier);
        FakeResponse response = get("/app.js", "Accept-Encoding", "br, gzip;q=0.1");
        assertEquals(GZIP, response.text(), "the sibling of the second best coding was not sent");
        assertEquals(List.of("Accept-Encoding"), response.fields.all("Vary"));
        assertEquals(ORIGINAL, get("/app.js", "Accept-Encoding", "br").text());
    }

    @Test
    void aLargeSiblingIsSentWithSendFileAndASmallSiblingIsCached() throws Exception {
        files.file("large.js", new byte[100_000]).file("large.js.gz", new byte[50_000]);
        FakeResponse response = get("/large.js", "Accept-Encoding", "gzip");
        assertEquals(List.of("0+50000"), response.regions);
        assertEquals("gzip", response.fields.first("Content-Encoding"));
        files.file("half.js", new byte[100_000]).file("half.js.gz", new byte[1_000]);
        assertEquals(1_000, get("/half.js", "Accept-Encoding", "gzip").bytes().length);
        assertEquals(1_000, files.smallFiles.kept());
    }

    @Test
    void theUncompressedFileIsWrittenIfAFilterHasUsedTheWriter() throws Exception {
        FakeResponse response = new FakeResponse();
        response.getWriter().print("<");
        files.answer(request("GET", "/app.js", "Accept-Encoding", "br"), response);
        assertEquals("<" + ORIGINAL, response.text());
        assertNull(response.fields.first("Content-Encoding"));
    }

    @Test
    void theUncompressedFileIsUsedForIncludesAndErrorPagesAndPostRequests() throws Exception {
        FakeRequest error = request("GET", "/app.js", "Accept-Encoding", "br").as(DispatcherType.ERROR);
        assertEquals(ORIGINAL, files.answer(error).text());
        FakeRequest include = request("GET", "/page", "Accept-Encoding", "br").including("/app.js");
        FakeResponse included = files.answer(include);
        assertEquals(ORIGINAL, included.text());
        assertEquals(List.of(), included.fields.all("Vary"));
        FakeRequest post = request("POST", "/app.js", "Accept-Encoding", "br").as(DispatcherType.FORWARD);
        assertEquals(ORIGINAL, files.answer(post).text());
    }

    @Test
    void aSiblingCanBeRequestedByItsPath() throws Exception {
        FakeResponse response = get("/app.js.gz", "Accept-Encoding", "gzip");
        assertEquals(GZIP, response.text());
        assertNull(response.fields.first("Content-Encoding"));
    }
}
