package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the charset of the text fields of a multipart form (RFC 7578 sections 4.5 and 4.6): that of the part, else that in the field {@code
 * _charset_}, else that of the request.
 */
class Rfc7578TextPartsTest {
    private static final String LATIN = "caf\u00e9";
    private static final String UTF8 = new String(LATIN.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);

    private Penstock server;

    /** Answers with the parameter {@code word} in UTF-8. */
    private static final class Echo extends HttpServlet {
        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getQueryString() != null) {
                request.setCharacterEncoding(request.getQueryString());
            }
            String word = request.getParameter("word");
            response.getOutputStream().write(word.getBytes(StandardCharsets.UTF_8));
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .context("/", context -> context.servlet("echo", new Echo(), new MultipartConfigElement(""), "/echo"))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String part(String name, String type, String content) {
        String line = type.isEmpty() ? "" : "Content-Type: " + type + "\r\n";
        return "--cut\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n" + line + "\r\n" + content + "\r\n";
    }

    private RawExchange post(String query, String parameter, String... parts) throws IOException {
        String body = String.join("", parts) + "--cut--\r\n";
        return RawExchange.of(
                server,
                "POST /echo" + query + " HTTP/1.1\r\nHost: good.example\r\nConnection: close\r\n"
                        + "Content-Type: multipart/form-data; boundary=cut" + parameter + "\r\nContent-Length: "
                        + body.length() + "\r\n\r\n" + body);
    }

    @Test
    void aPartIsReadInItsOwnCharset() throws Exception {
        for (String type : new String[] {"text/plain; charset=ISO-8859-1", "text/plain;charset=\"iso-8859-1\""}) {
            assertEquals(UTF8, post("", "", part("word", type, LATIN)).body());
            assertEquals(
                    UTF8,
                    post("?UTF-8", "; charset=utf-8", part("word", type, LATIN)).body());
            String other = part("_charset_", "", "UTF-16");
            assertEquals(UTF8, post("", "", other, part("word", type, LATIN)).body());
        }
    }

    @Test
    void otherPartsAreReadInTheCharsetThatTheFormNames() throws Exception {
        String named = part("_charset_", "", "windows-1252");
        assertEquals(UTF8, post("", "", named, part("word", "", LATIN)).body());
        assertEquals(
                UTF8,
                post("?UTF-8", "; charset=utf-8", part("word", "text/plain", LATIN), named)
                        .body());
    }

    @Test
    void partsOfAFormWithoutACharsetAreReadInThatOfTheRequest() throws Exception {
        assertEquals(UTF8, post("?ISO-8859-1", "", part("word", "", LATIN)).body());
        assertEquals(
                UTF8,
                post("", "; charset=ISO-8859-1", part("word", "text/plain", LATIN))
                        .body());
        assertEquals(UTF8, post("", "", part("word", "", UTF8)).body());
        assertEquals(
                UTF8,
                post("", "", part("_charset_", "", ""), part("word", "", UTF8)).body());
    }

    @Test
    void anUnknownCharsetIsRefused() throws Exception {
        assertEquals(
                415,
                post("", "", part("word", "text/plain; charset=klingon", "x")).status());
        assertEquals(
                415,
                post("", "", part("_charset_", "", "no charset!"), part("word", "", "x"))
                        .status());
    }
}
