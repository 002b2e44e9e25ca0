package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tests error pages of contexts that are defined in Java code (Servlet 6.1, section 10.9.2). */
class EmbeddedErrorPageTest {

    private static final class Failing extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            switch (request.getServletPath()) {
                case "/teapot" -> response.sendError(418);
                case "/file" -> throw new FileNotFoundException("gone");
                case "/state" -> throw new IllegalStateException("odd");
                default -> response.sendError(403);
            }
        }
    }

    private static final class Page extends HttpServlet {
        private final String name;

        Page(String name) {
            this.name = name;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(name + " " + request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE));
        }
    }

    private static String get(Penstock server, String path, int status) throws IOException {
        RawExchange answer = RawExchange.get(server, path);
        assertEquals(status, answer.status());
        return answer.body();
    }

    @Test
    void theStatusOrTheExceptionTypeSelectsTheErrorPage() throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .context("/", context -> context.servlet(
                                "failing", new Failing(), "/teapot", "/file", "/state", "/closed")
                        .servlet("tea", new Page("tea"), "/pages/tea")
                        .servlet("io", new Page("io"), "/pages/io")
                        .servlet("rest", new Page("rest"), "/pages/rest")
                        .errorPage(418, "/pages/tea")
                        .errorPage(IOException.class, "/pages/io")
                        .errorPage("/pages/rest"))
                .start()) {
            assertEquals("tea 418", get(server, "/teapot", 418));
            assertEquals("io 500", get(server, "/file", 500));
            assertEquals("rest 500", get(server, "/state", 500));
            assertEquals("rest 403", get(server, "/closed", 403));
            assertEquals("rest 404", get(server, "/nowhere", 404));
        }
    }

    @Test
    void anErrorPageLocationWithoutALeadingSlashIsRejected() {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Penstock.builder()
                .context("/", context -> context.errorPage(404, "pages/tea")));
        assertTrue(e.getMessage().contains("pages/tea"));
    }
}
