package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.limits.Key;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** The bounds on what a worker reads out of a request for the application. */
class RequestLimitsTest {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String MULTIPART = "multipart/form-data; boundary=b";

    @Test
    void tooManyParameters() throws Exception {
        assertBites(Key.MAX_PARAMETERS, "2", FORM, "a=1&b=2", "a=1&b=2&c=3");
    }

    @Test
    void aFormThatIsTooLarge() throws Exception {
        assertBites(Key.FORM_LIMIT, "10", FORM, "a=12345678", "a=123456789");
    }

    @Test
    void tooManyParts() throws Exception {
        assertBites(
                Key.MAX_PARTS,
                "2",
                MULTIPART,
                part("a") + part("b") + "--b--",
                part("a") + part("b") + part("c") + "--b--");
    }

    @Test
    void aPartHeaderThatIsTooLarge() throws Exception {
        assertBites(Key.PART_HEADER_LIMIT, "128", MULTIPART, part("a") + "--b--", part("a".repeat(200)) + "--b--");
    }

    @Test
    void partsThatAreTooLargeForAFormTogether() throws Exception {
        String file = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\na file is no field\r\n";
        assertBites(
                Key.FORM_LIMIT,
                "10",
                MULTIPART,
                part("a") + file + part("b") + "--b--",
                part("a") + part("b") + part("c") + "--b--");
    }

    private static String part(String name) {
        return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\nvalue\r\n";
    }

    private static void assertBites(Key key, String value, String type, String within, String beyond) throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set(key.id(), value)
                .context(
                        "/", context -> context.servlet("read", new Reading(), new MultipartConfigElement(""), "/read"))
                .start()) {
            assertEquals(200, post(server, type, within));
            assertEquals(key.consequence().status(), post(server, type, beyond));
        }
    }

    private static int post(Penstock server, String type, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/read"))
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static final class Reading extends HttpServlet {
        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            if (String.valueOf(request.getContentType()).startsWith("multipart/")) {
                request.getParts();
            }
            request.getParameterMap();
        }
    }
}
