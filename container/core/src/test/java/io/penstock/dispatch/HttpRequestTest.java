package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.FakeExchange;
import io.penstock.exchange.FakeResponse;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequestAttributeEvent;
import jakarta.servlet.ServletRequestAttributeListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the methods of {@code HttpServletRequest} (Servlet 6.1, chapter 3). */
class HttpRequestTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    private final App app = new App();

    @TempDir
    Path directory;

    @AfterEach
    void stop() {
        app.close();
    }

    /** Reads a value of a request. */
    private interface ValueReader {
        Object at(HttpServletRequest request) throws ServletException, IOException;
    }

    private String readInServlet(FakeExchange exchange, ValueReader look) {
        return readInServlet(exchange, null, look);
    }

    private String readInServlet(FakeExchange exchange, MultipartConfigElement multipart, ValueReader look) {
        app.servlet("/a/*", (request, response) -> {
                    response.setCharacterEncoding("UTF-8");
                    response.getWriter().print(look.at(request));
                })
                .multipart(multipart);
        app.start();
        FakeResponse sink = app.serve(exchange);
        assertEquals(200, sink.status(), sink::text);
        return sink.text();
    }

    @ParameterizedTest
    @CsvSource({
        "example.test,        example.test, 80,   http://example.test/app/a",
        "example.test:8080,   example.test, 8080, http://example.test:8080/app/a",
        "example.test:80,     example.test, 80,   http://example.test/app/a",
        "example.test:,       example.test, 80,   http://example.test/app/a",
        "[::1]:81,            [::1],        81,   http://[::1]:81/app/a",
        "[::1],               [::1],        80,   http://[::1]/app/a",
    })
    void theRequestUrlContainsTheHostAndThePortOfTheHostHeader(String host, String name, int port, String url) {
        String seen = readInServlet(
                FakeExchange.of("GET /app/a", "Host: " + host),
                request -> request.getServerName() + " " + request.getServerPort() + " " + request.getRequestURL());
        assertEquals(name + " " + port + " " + url, seen);
    }

    @Test
    void queryParametersComeBeforeBodyParameters() {
        String seen = readInServlet(
                FakeExchange.post("/app/a?a=hello", FORM, "a=goodbye&a=world&b=%C3%A4"),
                request -> String.join(",", request.getParameterValues("a"))
                        + request.getParameter("b")
                        + request.getParameter("c"));
        assertEquals("hello,goodbye,worldÃ¤null", seen);
    }

    @Test
    void theCharsetOfAFormCanBeSetOnlyBeforeTheFormIsRead() {
        String seen = readInServlet(FakeExchange.post("/app/a", FORM, "b=%C3%A4"), request -> {
            request.setCharacterEncoding(StandardCharsets.UTF_8);
            String value = request.getParameter("b");
            request.setCharacterEncoding("US-ASCII");
            return value + request.getCharacterEncoding();
        });
        assertEquals("äUTF-8", seen);
    }

    @Test
    void parametersOfAFormBodyAreMissingAfterTheBodyWasReadAsAStream() {
        String seen = readInServlet(
                FakeExchange.post("/app/a?q=1", FORM, "a=1"),
                request -> new String(request.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                        + request.getParameter("a")
                        + request.getParameter("q"));
        assertEquals("a=1null1", seen);
    }

    @Test
    void getInputStreamThrowsAfterGetReader() {
        readInServlet(FakeExchange.post("/app/a", "text/plain", "x"), request -> {
            request.getReader();
            return assertThrows(IllegalStateException.class, request::getInputStream);
        });
    }

    @Test
    void theReaderUsesTheDeclaredCharset() {
        assertEquals(
                "grün",
                readInServlet(
                        FakeExchange.post("/app/a", "text/plain; charset=utf-8", "grün"),
                        request -> request.getReader().readLine()));
    }

    @Test
    void anUnknownCharsetIsRefusedBySetCharacterEncodingAndByGetReader() {
        readInServlet(FakeExchange.post("/app/a", "text/plain; charset=nonsense", "x"), request -> {
            assertThrows(UnsupportedEncodingException.class, () -> request.setCharacterEncoding("more nonsense"));
            return assertThrows(UnsupportedEncodingException.class, request::getReader);
        });
    }

    @Test
    void getCookiesReturnsNullIfTheRequestHasNoCookies() {
        assertEquals("null", readInServlet(FakeExchange.of("GET /app/a"), HttpServletRequest::getCookies));
    }

    @Test
    void getCookiesReturnsAllCookiesOfTheCookieHeader() {
        assertEquals(
                "a=1;b=\"2\"",
                readInServlet(
                        FakeExchange.of("GET /app/a", "Cookie: a=1; b=\"2\""),
                        request -> request.getCookies()[0].getName() + "=" + request.getCookies()[0].getValue() + ";"
                                + request.getCookies()[1].getName() + "=" + request.getCookies()[1].getValue()));
    }

    @Test
    void namesOfHeadersAreCaseInsensitive() {
        String seen = readInServlet(
                FakeExchange.of(
                        "GET /app/a", "X-Num: 12", "x-num: 13", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"),
                request -> request.getIntHeader("x-NUM") + " " + Collections.list(request.getHeaders("X-Num")) + " "
                        + request.getDateHeader("if-modified-since") + " " + request.getIntHeader("none"));
        assertEquals("12 [12, 13] 784111777000 -1", seen);
    }

    @Test
    void getIntHeaderAndGetDateHeaderThrowForAnInvalidValue() {
        readInServlet(FakeExchange.of("GET /app/a", "X: y"), request -> {
            assertThrows(NumberFormatException.class, () -> request.getIntHeader("x"));
            return assertThrows(IllegalArgumentException.class, () -> request.getDateHeader("x"));
        });
    }

    @Test
    void getLocalesReturnsTheLocalesInOrderOfPreference() {
        assertEquals(
                "[de_CH, en]",
                readInServlet(
                        FakeExchange.of("GET /app/a", "Accept-Language: en;q=0.5, de-CH"),
                        request -> Collections.list(request.getLocales())));
    }

    @Test
    void theRequestHasTheIdentifiersOfTheExchange() {
        assertEquals(
                "c1-1  c1 http/1.1 false",
                readInServlet(
                        FakeExchange.of("GET /app/a"),
                        request -> request.getRequestId() + " " + request.getProtocolRequestId() + " "
                                + request.getServletConnection().getConnectionId() + " "
                                + request.getServletConnection().getProtocol() + " "
                                + request.getServletConnection().isSecure()));
    }

    @Test
    void trailersAreAvailableAfterTheBodyHasBeenRead() {
        FakeExchange exchange = FakeExchange.of("POST /app/a", "Transfer-Encoding: chunked");
        exchange.body().arrive(new byte[] {'x'});
        exchange.body().trailer("X-Sum", "1");
        exchange.body().end();
        assertEquals("{x-sum=1}", readInServlet(exchange, request -> {
            assertFalse(request.isTrailerFieldsReady());
            assertThrows(IllegalStateException.class, request::getTrailerFields);
            request.getInputStream().readAllBytes();
            return request.getTrailerFields();
        }));
    }

    @Test
    void aRequestWithoutALoginHasNoUser() {
        readInServlet(FakeExchange.of("GET /app/a"), request -> {
            assertNull(request.getUserPrincipal());
            assertNull(request.getRemoteUser());
            assertNull(request.getAuthType());
            assertFalse(request.isUserInRole("admin"));
            assertNull(request.newPushBuilder());
            request.logout();
            return assertThrows(ServletException.class, () -> request.login("a", "b"));
        });
    }

    @Test
    void attributeListenersAreNotifiedOfChanges() {
        List<String> heard = new ArrayList<>();
        app.listener(new ServletRequestAttributeListener() {
            @Override
            public void attributeAdded(ServletRequestAttributeEvent event) {
                heard.add("added " + event.getValue());
            }

            @Override
            public void attributeReplaced(ServletRequestAttributeEvent event) {
                heard.add("replaced " + event.getValue());
            }

            @Override
            public void attributeRemoved(ServletRequestAttributeEvent event) {
                heard.add("removed " + event.getValue());
            }
        });
        readInServlet(FakeExchange.of("GET /app/a"), request -> {
            request.setAttribute("x", 1);
            request.setAttribute("x", 2);
            request.setAttribute("x", null);
            return request.getAttribute("x");
        });
        assertEquals(List.of("added 1", "replaced 1", "removed 2"), heard);
    }

    // ---- sessions

    @Test
    void theCookieOfANewSessionIdentifiesTheSessionInTheNextRequest() {
        List<String> ids = new ArrayList<>();
        app.servlet("/s", (request, response) -> {
            HttpSession session = request.getSession();
            ids.add(session.getId() + " " + session.isNew() + " " + request.isRequestedSessionIdValid());
            response.reset();
        });
        app.start();
        String cookie = app.get("/app/s").header("Set-Cookie");
        assertTrue(cookie.startsWith("JSESSIONID="), cookie);
        assertTrue(cookie.contains("; Path=/app") && cookie.contains("; HttpOnly"), cookie);
        String id = cookie.substring("JSESSIONID=".length(), cookie.indexOf(';'));
        FakeResponse second = app.get("/app/s", "Cookie: JSESSIONID=stale; JSESSIONID=" + id);
        assertNull(second.header("Set-Cookie"));
        assertEquals(List.of(id + " true false", id + " false true"), ids);
    }

    @Test
    void aSessionCannotBeCreatedAfterTheCommitOfTheResponse() {
        app.servlet("/s", (request, response) -> {
            assertNull(request.getSession(false));
            response.flushBuffer();
            assertThrows(IllegalStateException.class, request::getSession);
        });
        app.start();
        assertTrue(app.get("/app/s").isEnded());
    }

    @Test
    void onlyTheNewSessionIdIsSentAfterChangeSessionId() {
        List<String> ids = new ArrayList<>();
        app.servlet("/s", (request, response) -> {
            assertThrows(IllegalStateException.class, request::changeSessionId);
            ids.add(request.getSession().getId());
            ids.add(request.changeSessionId());
        });
        app.start();
        FakeResponse sink = app.get("/app/s");
        assertNotEquals(ids.get(0), ids.get(1));
        assertEquals(1, sink.head().fields().all("Set-Cookie").size());
        assertTrue(sink.header("Set-Cookie").contains(ids.get(1)));
    }

    // ---- parts

    private static final String MULTIPART = "multipart/form-data; boundary=b";

    private static String form() {
        return "--b\r\nContent-Disposition: form-data; name=\"field\"\r\n\r\nvälue\r\n"
                + "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"../x.txt\"\r\n"
                + "Content-Type: text/plain\r\n\r\n0123456789\r\n--b--\r\n";
    }

    @Test
    void partsAreStoredOnDiskAndDeletedAfterTheRequest() throws IOException {
        MultipartConfigElement config = new MultipartConfigElement(directory.toString(), 100, 1000, 6);
        String seen = readInServlet(FakeExchange.post("/app/a?q=1", MULTIPART, form()), config, request -> {
            Part file = request.getPart("file");
            try (var files = Files.list(directory)) {
                assertEquals(2, files.count() + (request.getPart("field").getSize() > 6 ? 0 : 1));
            }
            return request.getParts().size() + " " + request.getParameter("field") + request.getParameter("q") + " "
                    + file.getSubmittedFileName() + " " + file.getSize() + " " + file.getContentType() + " "
                    + new String(file.getInputStream().readAllBytes(), StandardCharsets.US_ASCII) + " "
                    + request.getPart("none");
        });
        assertEquals("2 välue1 ../x.txt 10 text/plain 0123456789 null", seen);
        try (var files = Files.list(directory)) {
            assertEquals(0, files.count());
        }
    }

    @Test
    void aPartIsNotDeletedIfTheApplicationHasWrittenItToAFile() throws IOException {
        MultipartConfigElement config = new MultipartConfigElement(directory.toString(), 100, 1000, 0);
        readInServlet(FakeExchange.post("/app/a", MULTIPART, form()), config, request -> {
            request.getPart("file").write("kept.txt");
            return "";
        });
        assertEquals("0123456789", Files.readString(directory.resolve("kept.txt")));
    }

    @Test
    void aTooLargePartIsDeletedAfterGetPartsHasThrown() throws IOException {
        MultipartConfigElement config = new MultipartConfigElement(directory.toString(), 5, 1000, 0);
        readInServlet(FakeExchange.post("/app/a", MULTIPART, form()), config, request -> {
            assertThrows(IllegalStateException.class, request::getParts);
            return assertThrows(IllegalStateException.class, () -> request.getParameter("field"));
        });
        try (var files = Files.list(directory)) {
            assertEquals(0, files.count());
        }
    }

    /**
     * Frameworks search the message of the exception of {@code getParts()} for certain words, to find out whether a part is too large.
     */
    @Test
    void aTooLargePartIsReportedInTheExceptionOfGetParts() {
        assertEquals(
                "The request's multipart form is too large: a part exceeds its maximum permitted size of 5 bytes",
                messageOfGetParts(new MultipartConfigElement(directory.toString(), 5, 1000, 0)));
    }

    @Test
    void aTooLargeFormIsReportedInTheExceptionOfGetParts() {
        assertEquals(
                "The request's multipart form is too large: it exceeds its maximum permitted size of 20 bytes",
                messageOfGetParts(new MultipartConfigElement(directory.toString(), 100, 20, 0)));
    }

    private String messageOfGetParts(MultipartConfigElement config) {
        return readInServlet(FakeExchange.post("/app/a", MULTIPART, form()), config, request -> assertThrows(
                        IllegalStateException.class, request::getParts)
                .getMessage());
    }

    @Test
    void getPartsThrowsWithoutAMultipartConfig() {
        readInServlet(FakeExchange.post("/app/a", MULTIPART, form()), request -> {
            assertThrows(IllegalStateException.class, request::getParts);
            return "";
        });
    }

    @Test
    void getPartsThrowsForABodyThatIsNotMultipart() {
        readInServlet(FakeExchange.post("/app/a", FORM, "a=1"), request -> {
            assertThrows(ServletException.class, request::getParts);
            return "";
        });
    }
}
