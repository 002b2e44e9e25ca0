package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** RFC 9110, section 13.1.3: conditional requests for servlets that have {@code getLastModified}. */
class Rfc9110Section1313LastModifiedServletTest {
    private static final String BEFORE = "Sun, 06 Nov 1994 08:49:36 GMT";
    private static final String CHANGED = "Sun, 06 Nov 1994 08:49:37 GMT";
    private static final String AFTER = "Sun, 06 Nov 1994 08:49:38 GMT";

    private Penstock server;

    /** Changed 250 ms after the second {@link #CHANGED}. */
    private static class Page extends HttpServlet {
        @Override
        protected long getLastModified(HttpServletRequest request) {
            return 784_111_777_250L;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            response.getOutputStream().print("the page");
        }
    }

    private static final class Including extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            response.getOutputStream().print("before ");
            request.getRequestDispatcher("/page").include(request, response);
        }
    }

    private static final class Missing extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.sendError(404);
        }
    }

    /** Writes what the application itself gets from {@code getDateHeader}. */
    private static final class Reading extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                response.getOutputStream().print(String.valueOf(request.getDateHeader("If-Modified-Since")));
            } catch (IllegalArgumentException e) {
                response.getOutputStream().print("no date");
            }
        }
    }

    private static final class Wrapping extends HttpFilter {
        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(
                    new HttpServletRequestWrapper(request) {
                        @Override
                        public long getDateHeader(String name) {
                            return super.getDateHeader(name);
                        }
                    },
                    response);
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .context("/", context -> context.servlet("page", new Page(), "/page", "/wrapped")
                        .servlet("including", new Including(), "/including")
                        .servlet("missing", new Missing(), "/missing")
                        .servlet("reading", new Reading(), "/reading")
                        .filter("wrapping", new Wrapping(), "/wrapped")
                        .errorPage(404, "/page"))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private int status(String target, String... lines) throws IOException {
        return RawExchange.get(server, target, lines).status();
    }

    @Test
    void aServletThatHasNotChangedSinceTheSecondOfTheFieldAnswers304() throws Exception {
        for (String target : List.of("/page", "/wrapped")) {
            RawExchange first = RawExchange.get(server, target);
            assertEquals(List.of(CHANGED), first.values("Last-Modified"));
            assertEquals("the page", first.body());
            assertEquals(304, status(target, "If-Modified-Since: " + CHANGED));
            assertEquals(304, status(target, "if-modified-since: " + AFTER));
            assertEquals(200, status(target, "If-Modified-Since: " + BEFORE));
        }
    }

    @Test
    void aFieldThatMustBeIgnoredIsIgnored() throws Exception {
        for (String target : List.of("/page", "/wrapped")) {
            assertEquals(200, status(target, "If-Modified-Since: yesterday"));
            assertEquals(200, status(target, "If-Modified-Since:"));
            assertEquals(200, status(target, "If-Modified-Since: " + AFTER, "If-Modified-Since: " + AFTER));
            assertEquals(200, status(target, "If-None-Match: \"v2\"", "If-Modified-Since: " + AFTER));
        }
    }

    @Test
    void anIncludedServletAndAnErrorPageAreShownWhole() throws Exception {
        String condition = "If-Modified-Since: " + AFTER;
        assertEquals(
                "before the page",
                RawExchange.get(server, "/including", condition).body());
        RawExchange missing = RawExchange.get(server, "/missing", condition);
        assertEquals(404, missing.status());
        assertEquals("the page", missing.body());
    }

    @Test
    void theApplicationItselfGetsTheFieldAsTheSpecificationSays() throws Exception {
        assertEquals(
                "784111777000",
                RawExchange.get(server, "/reading", "If-Modified-Since: " + CHANGED)
                        .body());
        assertEquals(
                "no date",
                RawExchange.get(server, "/reading", "If-Modified-Since: yesterday")
                        .body());
    }
}
