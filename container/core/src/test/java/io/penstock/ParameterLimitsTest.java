package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.limits.Counter;
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
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the limits on parameters and parts. The server refuses a request above a limit, and counts the refusal. */
class ParameterLimitsTest {

    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String MULTIPART = "multipart/form-data; boundary=b";

    @Test
    void aFormWithTooManyParametersIsRefused() throws Exception {
        assertLimit(Key.MAX_PARAMETERS, "2", FORM, "a=1&b=2", "a=1&b=2&c=3");
    }

    @Test
    void aTooLargeFormIsRefused() throws Exception {
        assertLimit(Key.FORM_LIMIT, "10", FORM, "a=12345678", "a=123456789");
    }

    @Test
    void aMultipartFormWithTooManyPartsIsRefused() throws Exception {
        assertLimit(
                Key.MAX_PARTS,
                "2",
                MULTIPART,
                part("a") + part("b") + "--b--",
                part("a") + part("b") + part("c") + "--b--");
    }

    @Test
    void aMultipartFormWithATooLargePartHeaderIsRefused() throws Exception {
        assertLimit(Key.PART_HEADER_LIMIT, "128", MULTIPART, part("a") + "--b--", part("a".repeat(200)) + "--b--");
    }

    @Test
    void aMultipartFormIsRefusedIfAllItsPartHeadersTogetherAreTooLarge() throws Exception {
        int header = part("a").indexOf("\r\n\r\n") + 4 - "--b\r\n".length();
        assertLimit(
                Key.MULTIPART_HEADER_LIMIT,
                Integer.toString(3 * header),
                MULTIPART,
                part("a").repeat(3) + "--b--",
                part("a").repeat(4) + "--b--");
    }

    @Test
    void aMultipartFormIsRefusedIfItsFieldsTogetherExceedTheFormLimit() throws Exception {
        String file = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\na file is no field\r\n";
        assertLimit(
                Key.FORM_LIMIT,
                "10",
                MULTIPART,
                part("a") + file + part("b") + "--b--",
                part("a") + part("b") + part("c") + "--b--");
    }

    /** The servlet reads the parameters twice, and the server must count the refused request once. */
    @ParameterizedTest
    @EnumSource(Dispatch.class)
    void aDispatchWithTooManyParametersInItsQueryIsRefused(Dispatch dispatch) throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set(Key.MAX_PARAMETERS.id(), "2")
                .context("/", context -> context.servlet("go", new DispatchingServlet(dispatch), "/go")
                        .servlet("read", new ReadingTwice(), "/read"))
                .start()) {
            assertEquals(200, post(server, "/go?query=a%3D1%26b%3D2", FORM, ""));
            assertEquals(0, server.counters().get(Counter.TOO_MANY_PARAMETERS.id()));
            assertEquals(400, post(server, "/go?query=a%3D1%26b%3D2%26c%3D3", FORM, ""));
            assertEquals(1, server.counters().get(Counter.TOO_MANY_PARAMETERS.id()));
        }
    }

    private static String part(String name) {
        return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\nvalue\r\n";
    }

    private static void assertLimit(Key key, String value, String type, String within, String beyond) throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set(key.id(), value)
                .context(
                        "/", context -> context.servlet("read", new Reading(), new MultipartConfigElement(""), "/read"))
                .start()) {
            String counter = Objects.requireNonNull(key.consequence().counter()).id();
            assertEquals(200, post(server, "/read", type, within));
            assertEquals(0, server.counters().get(counter));
            assertEquals(key.consequence().status(), post(server, "/read", type, beyond));
            assertEquals(1, server.counters().get(counter));
        }
    }

    private static int post(Penstock server, String target, String type, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + target))
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

    /** The ways to dispatch a request to another servlet. The path of the dispatch contains a query. */
    private enum Dispatch {
        FORWARD {
            @Override
            void go(String path, HttpServletRequest request, HttpServletResponse response)
                    throws IOException, ServletException {
                request.getRequestDispatcher(path).forward(request, response);
            }
        },
        INCLUDE {
            @Override
            void go(String path, HttpServletRequest request, HttpServletResponse response)
                    throws IOException, ServletException {
                request.getRequestDispatcher(path).include(request, response);
            }
        },
        ASYNC {
            @Override
            void go(String path, HttpServletRequest request, HttpServletResponse response) {
                request.startAsync().dispatch(path);
            }
        };

        abstract void go(String path, HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException;
    }

    /** Dispatches the request to {@code /read}. The parameter {@code query} is the query of the dispatch. */
    private static final class DispatchingServlet extends HttpServlet {
        private final Dispatch dispatch;

        DispatchingServlet(Dispatch dispatch) {
            this.dispatch = dispatch;
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            dispatch.go("/read?" + request.getParameter("query"), request, response);
        }
    }

    /** Reads a parameter. If the first call fails, the servlet reads the parameter again. */
    private static final class ReadingTwice extends HttpServlet {
        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) {
            try {
                request.getParameter("a");
            } catch (IllegalStateException e) {
                request.getParameter("a");
            }
        }
    }
}
