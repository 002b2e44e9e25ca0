package io.penstock.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the default servlet, which serves the static files of an application. */
class DefaultServletTest {
    private static final String MODIFIED = "Sun, 06 Nov 1994 08:49:37 GMT";
    private static final String DIGITS = "0123456789";

    @TempDir
    Path folder;

    private FileServing files;

    @BeforeEach
    void open() {
        files = new FileServing(folder.resolve("root"));
    }

    @AfterEach
    void close() throws Exception {
        files.close();
    }

    private FakeResponse get(String path, String... fields) throws Exception {
        FakeRequest request = new FakeRequest("GET", path);
        for (int i = 0; i < fields.length; i += 2) {
            request.with(fields[i], fields[i + 1]);
        }
        return files.answer(request);
    }

    // ---- whole files

    @Test
    void aFileIsSentWithItsTypeAndLengthAndValidators() throws Exception {
        files.file("a/page.html", "<p>\u00fc");
        FakeResponse response = get("/a/page.html");
        assertEquals(200, response.getStatus());
        assertEquals("<p>\u00fc", response.text());
        assertEquals(5, response.length());
        assertEquals("text/html", response.getContentType());
        assertEquals(MODIFIED, response.fields.first("Last-Modified"));
        assertEquals("bytes", response.fields.first("Accept-Ranges"));
        assertTrue(response.fields.first("ETag").matches("\"[0-9a-f]+-5\""), response.fields.first("ETag"));
    }

    @Test
    void onlyATextFileGetsACharset() throws Exception {
        files.file("a.txt", "x").file("a.png", "x").file("b.unknown", "x");
        assertEquals("text/plain;charset=UTF-8", get("/a.txt").getContentType());
        assertEquals("image/png", get("/a.png").getContentType());
        assertNull(get("/b.unknown").getContentType());
    }

    @Test
    void aContentTypeThatAFilterHasSetIsNotChanged() throws Exception {
        files.file("a.txt", "x");
        FakeResponse response = new FakeResponse();
        response.setContentType("text/special");
        files.answer(new FakeRequest("GET", "/a.txt"), response);
        assertEquals("text/special", response.getContentType());
    }

    @Test
    void anEmptyFileIsSentWithContentLengthZero() throws Exception {
        files.file("empty.txt", "");
        FakeResponse response = get("/empty.txt");
        assertEquals(0, response.length());
        assertEquals(200, response.getStatus());
    }

    @Test
    void aLargeFileIsSentWithSendFile() throws Exception {
        byte[] large = new byte[100_000];
        new Random(1).nextBytes(large);
        files.file("large.png", large);
        FakeResponse response = get("/large.png");
        assertEquals(List.of("0+100000"), response.regions);
        assertArrayEquals(large, response.bytes());
        assertEquals(List.of("50000+50000"), get("/large.png", "Range", "bytes=50000-").regions);
    }

    @Test
    void aLargeFileIsWrittenToTheStreamIfTheResponseIsWrapped() throws Exception {
        byte[] large = new byte[100_000];
        new Random(2).nextBytes(large);
        files.file("large.png", large);
        FakeResponse response = new FakeResponse();
        files.answer(new FakeRequest("GET", "/large.png"), new HttpServletResponseWrapper(response));
        assertEquals(List.of(), response.regions);
        assertArrayEquals(large, response.bytes());
        assertEquals(100_000, response.length());
    }

    @Test
    void aFileIsWrittenToTheWriterIfAFilterHasUsedTheWriter() throws Exception {
        files.file("a.txt", "f\u00fcr");
        FakeResponse response = new FakeResponse();
        response.getWriter().print("<");
        files.answer(new FakeRequest("GET", "/a.txt").with("Range", "bytes=0-0"), response);
        assertEquals("<f\u00fcr", response.text());
        assertEquals(200, response.getStatus());
        assertEquals(-1, response.length());
    }

    @Test
    void aFileInAJarOfTheApplicationIsServed() throws Exception {
        ByteArrayOutputStream jar = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(jar)) {
            ZipEntry entry = new ZipEntry("META-INF/resources/lib/digits.txt");
            entry.setLastModifiedTime(FileTime.from(FileServing.MODIFIED));
            zip.putNextEntry(entry);
            zip.write((DIGITS + "x".repeat(50_000)).getBytes(StandardCharsets.US_ASCII));
        }
        files.file("WEB-INF/lib/some.jar", jar.toByteArray());
        FakeResponse response = get("/lib/digits.txt");
        assertEquals(50_010, response.bytes().length);
        assertEquals(50_010, response.length());
        assertEquals(MODIFIED, response.fields.first("Last-Modified"));
        assertEquals("789x", get("/lib/digits.txt", "Range", "bytes=7-10").text());
    }

    // ---- files that are replaced

    /** A response that replaces the file between its lookup and its opening. */
    private FakeResponse replacing(String path, byte[] content) {
        return new FakeResponse() {
            private boolean replaced;

            private void replace() {
                if (!replaced) {
                    replaced = true;
                    try {
                        files.file(path, content, FileServing.MODIFIED.plusSeconds(10));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            }

            @Override
            public boolean canSendFile() {
                replace();
                return super.canSendFile();
            }

            @Override
            public ServletOutputStream getOutputStream() {
                replace();
                return super.getOutputStream();
            }
        };
    }

    @Test
    void aFileThatIsReplacedBeforeItIsOpenedIsSentWithItsOwnLengthAndValidators() throws Exception {
        for (int size : new int[] {50_000, 150_000}) {
            files.file("large.png", new byte[100_000]);
            byte[] replacement = new byte[size];
            new Random(3).nextBytes(replacement);
            FakeResponse response = replacing("large.png", replacement);
            files.answer(new FakeRequest("GET", "/large.png"), response);
            assertArrayEquals(replacement, response.bytes());
            assertEquals(List.of("0+" + size), response.regions);
            assertTrue(response.fields.first("ETag").endsWith("-" + Integer.toHexString(size) + "\""));
            assertEquals("Sun, 06 Nov 1994 08:49:47 GMT", response.fields.first("Last-Modified"));
        }
    }

    @Test
    void noRangeOfAFileThatIsReplacedBeforeItIsOpenedIsSentForTheFormerFile() throws Exception {
        files.file("large.png", new byte[100_000]);
        String tag = get("/large.png").fields.first("ETag");
        FakeResponse response = replacing("large.png", new byte[50_000]);
        FakeRequest request = new FakeRequest("GET", "/large.png")
                .with("Range", "bytes=20000-")
                .with("If-Range", tag);
        files.answer(request, response);
        assertEquals(200, response.getStatus());
        assertNull(response.fields.first("Content-Range"));
        assertEquals(List.of("0+50000"), response.regions);
    }

    @Test
    void aSmallFileThatIsReplacedBeforeItIsReadIsSentAsItIsNow() throws Exception {
        for (String replacement : List.of("new", "a longer text")) {
            files.file("a.txt", DIGITS);
            FakeResponse response = replacing("a.txt", replacement.getBytes(StandardCharsets.UTF_8));
            files.answer(new FakeRequest("GET", "/a.txt"), response);
            assertEquals(replacement, response.text());
            assertEquals(replacement.length(), response.length());
        }
    }

    // ---- methods

    @Test
    void aResponseToHeadHasTheLengthAndTheEntityTagOfTheWholeFileButNoBody() throws Exception {
        files.file("digits.txt", DIGITS);
        FakeResponse response = files.answer(new FakeRequest("HEAD", "/digits.txt").with("Range", "bytes=0-0"));
        assertEquals(200, response.getStatus());
        assertEquals(10, response.length());
        assertEquals("", response.text());
        assertEquals(get("/digits.txt").fields.first("ETag"), response.fields.first("ETag"));
    }

    @Test
    void optionsReturnsTheAllowedMethods() throws Exception {
        files.file("a.txt", "x");
        FakeResponse response = files.answer(new FakeRequest("OPTIONS", "/a.txt"));
        assertEquals(200, response.getStatus());
        assertEquals("GET, HEAD, OPTIONS", response.fields.first("Allow"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "TRACE", "PATCH", "get", "BREW"})
    void onlyGetAndHeadAndOptionsAreAllowed(String method) throws Exception {
        files.file("a.txt", "x");
        FakeResponse response = files.answer(new FakeRequest(method, "/a.txt"));
        assertEquals(405, response.getStatus());
        assertEquals("GET, HEAD, OPTIONS", response.fields.first("Allow"));
        assertEquals("", response.text());
    }

    @Test
    void aForwardedPostRequestGetsTheWholeFile() throws Exception {
        files.file("done.html", "done");
        FakeRequest forwarded = new FakeRequest("POST", "/done.html").as(DispatcherType.FORWARD);
        assertEquals("done", files.answer(forwarded.with("If-None-Match", "*")).text());
    }

    @Test
    void anErrorPageIsSentWithTheErrorStatusEvenIfAPreconditionFails() throws Exception {
        files.file("404.html", DIGITS);
        FakeRequest error = new FakeRequest("GET", "/404.html").as(DispatcherType.ERROR);
        FakeResponse response = new FakeResponse();
        response.setStatus(404);
        files.answer(error.with("If-None-Match", "*").with("Range", "bytes=0-0"), response);
        assertEquals(404, response.getStatus());
        assertEquals(DIGITS, response.text());
        assertNull(response.fields.first("ETag"));
    }

    // ---- conditions and ranges

    @Test
    void aRequestForAnUnchangedFileGetsStatus304() throws Exception {
        files.file("digits.txt", DIGITS);
        String tag = get("/digits.txt").fields.first("ETag");
        FakeResponse response = get("/digits.txt", "If-None-Match", "W/" + tag);
        assertEquals(304, response.getStatus());
        assertEquals("", response.text());
        assertEquals(tag, response.fields.first("ETag"));
        assertNull(response.getContentType());
        assertEquals(304, get("/digits.txt", "If-Modified-Since", MODIFIED).getStatus());
        assertEquals(
                200,
                get("/digits.txt", "If-None-Match", "\"x\"", "If-Modified-Since", MODIFIED)
                        .getStatus());
    }

    @Test
    void aFailedPreconditionCausesStatus412() throws Exception {
        files.file("digits.txt", DIGITS);
        assertEquals(412, get("/digits.txt", "If-Match", "\"x\"").getStatus());
        assertEquals(
                412,
                get("/digits.txt", "If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:36 GMT")
                        .getStatus());
    }

    @Test
    void aRecentlyChangedFileHasAWeakEntityTag() throws Exception {
        files.file("digits.txt", DIGITS).now(FileServing.MODIFIED.plusSeconds(1));
        String tag = get("/digits.txt").fields.first("ETag");
        assertTrue(tag.startsWith("W/"), tag);
        assertEquals(
                200, get("/digits.txt", "Range", "bytes=0-0", "If-Range", tag).getStatus());
    }

    /** RFC 9110 section 8.8.2.1. Files of archives can have the local time of another zone. */
    @Test
    void aModificationTimeInTheFutureIsSentAsThePresentTime() throws Exception {
        files.file("digits.txt", DIGITS).now(FileServing.MODIFIED.minusSeconds(3600));
        FakeResponse response = get("/digits.txt");
        assertEquals("Sun, 06 Nov 1994 07:49:37 GMT", response.fields.first("Last-Modified"));
        String tag = response.fields.first("ETag");
        assertEquals(304, get("/digits.txt", "If-None-Match", tag).getStatus());
    }

    @Test
    void aSingleRangeIsSentWithoutMultipart() throws Exception {
        files.file("digits.txt", DIGITS);
        FakeResponse response = get("/digits.txt", "Range", "bytes=2-4");
        assertEquals(206, response.getStatus());
        assertEquals("234", response.text());
        assertEquals(3, response.length());
        assertEquals("bytes 2-4/10", response.fields.first("Content-Range"));
        assertEquals("89", get("/digits.txt", "Range", "bytes=-2").text());
    }

    @Test
    void severalRangesAreSentAsMultipartByteranges() throws Exception {
        files.file("long.txt", DIGITS.repeat(100));
        FakeResponse response = get("/long.txt", "Range", "bytes=998-,0-1,500-500");
        assertEquals(206, response.getStatus());
        String type = response.getContentType();
        assertTrue(type.startsWith("multipart/byteranges; boundary="), type);
        String boundary = type.substring(type.indexOf('=') + 1);
        String head = "\r\nContent-Type: text/plain;charset=UTF-8\r\nContent-Range: bytes ";
        assertEquals(
                "--" + boundary + head + "998-999/1000\r\n\r\n89"
                        + "\r\n--" + boundary + head + "0-1/1000\r\n\r\n01"
                        + "\r\n--" + boundary + head + "500-500/1000\r\n\r\n0"
                        + "\r\n--" + boundary + "--\r\n",
                response.text());
        assertEquals(response.bytes().length, response.length());
    }

    @Test
    void anUnsatisfiableRangeCausesStatus416() throws Exception {
        files.file("digits.txt", DIGITS);
        FakeResponse response = get("/digits.txt", "Range", "bytes=10-");
        assertEquals(416, response.getStatus());
        assertEquals("bytes */10", response.fields.first("Content-Range"));
    }

    @Test
    void theWholeFileIsSentIfTheEntityTagInTheIfRangeFieldDiffers() throws Exception {
        files.file("digits.txt", DIGITS);
        String tag = get("/digits.txt").fields.first("ETag");
        assertEquals(
                206, get("/digits.txt", "Range", "bytes=0-0", "If-Range", tag).getStatus());
        assertEquals(
                200,
                get("/digits.txt", "Range", "bytes=0-0", "If-Range", "\"x\"").getStatus());
        assertEquals(
                304,
                get("/digits.txt", "Range", "bytes=0-0", "If-None-Match", tag).getStatus());
    }

    // ---- files that are not served

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/none",
                "/a.txt/",
                "/sub/none.html",
                "/WEB-INF/web.xml",
                "/web-inf/web.xml",
                "/WEB-INF",
                "/WEB-INF/",
                "/META-INF/x.txt",
                "/Meta-Inf/x.txt",
                "/A.TXT"
            })
    void missingFilesAndPrivateFilesCauseStatus404(String path) throws Exception {
        files.file("a.txt", "x")
                .file("WEB-INF/web.xml", "x")
                .file("META-INF/x.txt", "x")
                .file("sub/x", "x");
        assertEquals(404, get(path).getStatus(), path);
    }

    @Test
    void aPrivateFileIsSentAfterAForwardByTheApplication() throws Exception {
        files.file("WEB-INF/page.html", "private").file("WEB-INFO/x.txt", "public");
        FakeRequest forwarded = new FakeRequest("GET", "/WEB-INF/page.html").as(DispatcherType.FORWARD);
        assertEquals("private", files.answer(forwarded).text());
        assertEquals("public", get("/WEB-INFO/x.txt").text());
    }

    @Test
    void aSymbolicLinkThatLeadsOutOfTheRootIsNotFollowed() throws Exception {
        files.file("inside.txt", "inside");
        Files.writeString(folder.resolve("secret.txt"), "secret");
        Files.createSymbolicLink(folder.resolve("root/link.txt"), folder.resolve("secret.txt"));
        Files.createSymbolicLink(folder.resolve("root/up"), folder);
        assertEquals(404, get("/link.txt").getStatus());
        assertEquals(404, get("/up/secret.txt").getStatus());
        assertEquals("inside", get("/inside.txt").text());
    }

    // ---- directories

    @Test
    void aRedirectToADirectoryAddsASlashAndRepeatsTheQuery() throws Exception {
        files.file("sub dir/x", "x");
        FakeResponse response = files.answer(new FakeRequest("GET", "/sub dir").query("a=1&b=%20"));
        assertEquals(302, response.getStatus());
        assertEquals("/app/sub%20dir/?a=1&b=%20", response.fields.first("Location"));
    }

    @Test
    void aRedirectNeverLeadsToAnotherHost() throws Exception {
        files.file("evil.example/x", "x");
        FakeRequest request =
                new FakeRequest("GET", "/evil.example").contextPath("").uri("//evil.example;x=y");
        assertEquals("/evil.example/", files.answer(request).fields.first("Location"));
        FakeRequest doubled = new FakeRequest("GET", "/evil.example").contextPath("//evil.example");
        assertEquals("/evil.example/evil.example/", files.answer(doubled).fields.first("Location"));
    }

    @Test
    void aRedirectToTheContextPathAddsASlash() throws Exception {
        files.file("index.html", "x");
        assertEquals(
                "/app/",
                files.answer(new FakeRequest("GET", "/").uri("/app")).fields.first("Location"));
        assertEquals(
                "/app/",
                files.answer(new FakeRequest("GET", "").uri("/app")).fields.first("Location"));
    }

    @Test
    void aRequestForADirectoryIsForwardedToItsWelcomeFile() throws Exception {
        files.file("a b/index.html", "x");
        FakeRequest request = new FakeRequest("GET", "/a b/");
        files.answer(request);
        assertEquals(List.of("forward /a%20b/index.html"), request.dispatched);
    }

    @Test
    void aDirectoryWithoutAWelcomeFileIsForwardedToAWelcomeServlet() throws Exception {
        files.file("sub/x", "x").file("other/index.html", "x");
        files.mapped.addAll(List.of("/sub/start", "/other/start"));
        FakeRequest request = new FakeRequest("GET", "/sub/");
        files.answer(request);
        assertEquals(List.of("forward /sub/start"), request.dispatched);
        FakeRequest other = new FakeRequest("GET", "/other/");
        files.answer(other);
        assertEquals(List.of("forward /other/index.html"), other.dispatched);
    }

    @Test
    void aDirectoryIsNeverListed() throws Exception {
        files.file("sub/secret-name", "x").file("deep/index.html/x", "x");
        FakeResponse response = get("/sub/");
        assertEquals(404, response.getStatus());
        assertFalse(response.text().contains("secret-name"));
        assertEquals(404, get("/deep/").getStatus());
    }

    // ---- includes

    @Test
    void anIncludeWritesTheFileAndSetsNoHeaderFields() throws Exception {
        files.file("part.html", "part");
        FakeResponse response = new FakeResponse();
        response.getOutputStream().write('<');
        files.answer(new FakeRequest("POST", "/servlet").including("/part.html").with("If-None-Match", "*"), response);
        assertEquals("<part", response.text());
        assertEquals(0, response.fields.size());
        assertEquals(-1, response.length());
        assertNull(response.getContentType());
    }

    @Test
    void anIncludeWritesToTheWriterIfTheApplicationHasUsedTheWriter() throws Exception {
        files.file("part.html", "p\u00e4rt");
        FakeResponse response = new FakeResponse();
        response.getWriter().print("<");
        files.answer(new FakeRequest("GET", "/servlet").including("/part.html"), response);
        assertEquals("<p\u00e4rt", response.text());
    }

    @Test
    void anIncludeOfAMissingFileThrowsFileNotFoundException() throws Exception {
        files.file("sub/x", "x");
        for (String path : List.of("/none", "/sub", "/sub/")) {
            assertThrows(
                    FileNotFoundException.class,
                    () -> files.answer(new FakeRequest("GET", "/s").including(path)),
                    path);
        }
    }

    @Test
    void anIncludeOfADirectoryIncludesTheWelcomeFile() throws Exception {
        files.file("sub/index.html", "x");
        FakeRequest request = new FakeRequest("GET", "/s").including("/sub/");
        files.answer(request);
        assertEquals(List.of("include /sub/index.html"), request.dispatched);
    }
}
