package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.context.Encodings;
import io.penstock.exchange.FakeExchange;
import io.penstock.exchange.FakeResponse;
import io.penstock.request.FileTransfer;
import jakarta.servlet.http.Cookie;
import java.io.UnsupportedEncodingException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the methods of {@code HttpServletResponse} (Servlet 6.1, chapter 5). */
class HttpResponseTest {
    private App app = new App();

    @TempDir
    Path directory;

    @AfterEach
    void stop() {
        app.close();
    }

    private FakeResponse responseOf(App.Service service) {
        app.servlet("/a", service);
        app.start();
        FakeResponse sink = app.get("/app/a");
        assertEquals(0, sink.outstanding());
        return sink;
    }

    @Test
    void anInvalidStatusIsRefusedBySetStatusAndBySendErrorAndBySendRedirect() {
        FakeResponse sink = responseOf((request, response) -> {
            for (int status : new int[] {Integer.MIN_VALUE, -1, 0, 99, 1000}) {
                assertThrows(IllegalArgumentException.class, () -> response.setStatus(status));
            }
            for (int status : new int[] {Integer.MIN_VALUE, -1, 0, 99, 100, 101, 103, 199, 1000}) {
                assertThrows(IllegalArgumentException.class, () -> response.sendError(status));
                assertThrows(IllegalArgumentException.class, () -> response.sendRedirect("/b", status));
            }
            response.setStatus(999);
        });
        assertEquals(999, sink.status());
    }

    @Test
    void aResponseIsSentWithStatus500IfItsFinalStatusIsInformational() {
        FakeResponse sink = responseOf((request, response) -> {
            for (int status : new int[] {100, 101, 103, 199}) {
                response.setStatus(status);
                assertEquals(status, response.getStatus());
            }
        });
        assertEquals(500, sink.status());
    }

    @Test
    void lineBreaksInHeadersCannotSplitAResponse() {
        FakeResponse sink = responseOf((request, response) -> {
            assertThrows(IllegalArgumentException.class, () -> response.setHeader("X", "a\r\nSet-Cookie: b"));
            assertThrows(IllegalArgumentException.class, () -> response.addHeader("X\r\nY", "a"));
            assertThrows(IllegalArgumentException.class, () -> response.setHeader("X Y", "a"));
            assertThrows(IllegalArgumentException.class, () -> response.setContentType("text/html\r\nX: y"));
            assertThrows(IllegalArgumentException.class, () -> response.setCharacterEncoding("a\r\nb"));
            assertThrows(IllegalArgumentException.class, () -> response.addCookie(new Cookie("a", "b\r\nc")));
            response.setHeader("Transfer-Encoding", "chunked");
            response.setHeader(null, "x");
            response.addHeader("X", null);
            response.setHeader("X-Wide", "\u20acuro");
        });
        assertEquals(1, sink.head().fields().size());
        assertEquals("?uro", sink.header("X-Wide"));
    }

    @Test
    void aHeaderIsRemovedIfItsValueIsSetToNull() {
        FakeResponse sink = responseOf((request, response) -> {
            response.addHeader("X", "1");
            response.addHeader("x", "2");
            response.setHeader("Y", "");
            assertEquals(List.of("1", "2"), response.getHeaders("X"));
            response.setHeader("X", null);
            assertFalse(response.containsHeader("X"));
        });
        assertEquals("", sink.header("Y"));
    }

    @Test
    void changesOfTheStatusAndHeadersAreIgnoredAfterTheCommit() {
        FakeResponse sink = responseOf((request, response) -> {
            response.flushBuffer();
            response.setHeader("X", "late");
            response.setStatus(500);
            response.addCookie(new Cookie("late", "1"));
            assertThrows(IllegalStateException.class, () -> response.sendError(404));
            assertThrows(IllegalStateException.class, () -> response.sendRedirect("/x"));
        });
        assertEquals(200, sink.status());
        assertEquals(0, sink.head().fields().size());
    }

    @Test
    void theCharsetOfTheContentTypeCannotBeChangedAfterGetWriter() {
        FakeResponse sink = responseOf((request, response) -> {
            response.setContentType("text/html");
            assertEquals("text/html", response.getContentType());
            response.getWriter().print("é");
            response.setContentType("text/plain;charset=UTF-8");
        });
        assertEquals("text/plain;charset=ISO-8859-1", sink.header("Content-Type"));
        assertEquals(1, sink.bytes().length);
    }

    @Test
    void anExplicitCharsetWinsOverTheLocaleAndTheLocaleWinsOverTheDefaultCharset() {
        app.close();
        app = new App(
                "/app", settings -> settings.encodings(new Encodings(null, "UTF-16", null, Map.of("ja", "Shift_JIS"))));
        responseOf((request, response) -> {
            assertEquals("UTF-16", response.getCharacterEncoding());
            response.setLocale(Locale.JAPAN);
            assertEquals("Shift_JIS", response.getCharacterEncoding());
            response.setContentType("text/html; charset=\"utf-8\"");
            assertEquals("text/html;charset=utf-8", response.getContentType());
            response.setLocale(Locale.JAPAN);
            assertEquals("utf-8", response.getCharacterEncoding());
            response.setCharacterEncoding(StandardCharsets.US_ASCII);
            assertEquals("text/html;charset=US-ASCII", response.getContentType());
            response.setCharacterEncoding((String) null);
            assertEquals("UTF-16", response.getCharacterEncoding());
            response.setContentType(null);
            assertNull(response.getContentType());
            assertEquals("ja-JP", response.getHeader("Content-Language"));
        });
    }

    @Test
    void getWriterThrowsForAnUnknownCharset() {
        responseOf((request, response) -> {
            response.setCharacterEncoding("nonsense");
            assertThrows(UnsupportedEncodingException.class, response::getWriter);
            response.getOutputStream().print("still possible");
        });
    }

    @Test
    void aRedirectHasAnAbsoluteLocationAndEndsTheResponse() {
        FakeResponse sink = responseOf((request, response) -> {
            response.getWriter().print("forgotten");
            response.sendRedirect("b?x=<y>");
            response.getWriter().print("ignored");
            assertTrue(response.isCommitted());
        });
        assertEquals(302, sink.status());
        assertEquals("http://example.test/app/b?x=<y>", sink.header("Location"));
        assertTrue(sink.text().contains("b?x=&lt;y&gt;"), sink.text());
        assertFalse(sink.text().contains("forgotten"));
        assertFalse(sink.text().contains("ignored"));
    }

    @Test
    void sendRedirectCanKeepTheBufferedBodyAndUseStatus308() {
        FakeResponse sink = responseOf((request, response) -> {
            response.getWriter().print("kept");
            response.sendRedirect("/b", 308, false);
        });
        assertEquals(308, sink.status());
        assertEquals("kept", sink.text());
        assertEquals("http://example.test/b", sink.header("Location"));
    }

    @Test
    void theContentLengthAndTheContentTypeCanBeSetAsHeaders() {
        FakeResponse sink = responseOf((request, response) -> {
            response.setHeader("content-type", "text/x");
            response.setIntHeader("Content-Length", 2);
            assertEquals("2", response.getHeader("Content-Length"));
            assertTrue(response.getHeaderNames().contains("Content-Type"));
            response.getOutputStream().print("ab");
        });
        assertEquals(2, sink.head().contentLength());
        assertEquals(List.of("segment 2 last"), sink.calls());
    }

    @Test
    void aContentLengthBelowTheNumberOfWrittenBytesIsIgnored() {
        FakeResponse sink = responseOf((request, response) -> {
            response.getOutputStream().print("abc");
            response.setContentLength(2);
        });
        assertEquals("abc", sink.text());
        assertEquals(3, sink.head().contentLength());
    }

    @Test
    void aFileCanBeSentDirectlyOnlyIfTheResponseHasNoBodyYet() {
        FakeResponse sink = responseOf((request, response) -> {
            Path file = Files.writeString(directory.resolve("f"), "0123456789");
            FileTransfer transfer = (FileTransfer) response;
            assertTrue(transfer.canSendFile());
            transfer.sendFile(FileChannel.open(file), 2, 5);
            assertFalse(transfer.canSendFile());
            FileChannel other = FileChannel.open(file);
            assertThrows(IllegalStateException.class, () -> transfer.sendFile(other, 0, 1));
            assertFalse(other.isOpen());
        });
        assertEquals("23456", sink.text());
        assertEquals(List.of("file 5 last"), sink.calls());
        assertEquals(5, sink.head().contentLength());
    }

    @Test
    void setTrailerFieldsThrowsForHttp10() {
        app.servlet(
                "/a",
                (request, response) ->
                        assertThrows(IllegalStateException.class, () -> response.setTrailerFields(Map::of)));
        app.start();
        assertEquals(200, app.serve(FakeExchange.of("GET /app/a HTTP/1.0")).status());
    }

    @Test
    void encodeUrlAddsNoSessionIdWithoutASession() {
        responseOf((request, response) -> assertEquals("/app/b", response.encodeURL("/app/b")));
    }
}
