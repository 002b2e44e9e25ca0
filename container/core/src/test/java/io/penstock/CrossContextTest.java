package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/**
 * Tests sections 4.5 and 7.3 of Servlet 6.1. An application dispatches requests to another application. The two applications have separate
 * sessions.
 */
class CrossContextTest {
    private final List<String> listenerCalls = new CopyOnWriteArrayList<>();

    /** Dispatches to {@code /b} in the way that the query string names: {@code include}, {@code forward}, {@code name} or {@code async}. */
    private static final class DispatchingServlet extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            ServletContext other = getServletContext().getContext("/b/anything");
            if (other == null) {
                response.getWriter().print("nobody");
                return;
            }
            RequestDispatcher dispatcher = other.getRequestDispatcher("/show" + request.getPathInfo());
            switch (String.valueOf(request.getQueryString())) {
                case "include" -> dispatcher.include(request, response);
                case "name" -> other.getNamedDispatcher("show").include(request, response);
                case "async" -> {
                    AsyncContext async = request.startAsync();
                    async.dispatch(other, "/show" + request.getPathInfo());
                }
                default -> dispatcher.forward(request, response);
            }
        }
    }

    /** Responds with the context of the servlet, and with the paths in the request. */
    private static final class PathsServlet extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter()
                    .print(request.getServletContext().getContextPath()
                            + " shows " + request.getContextPath()
                            + " " + request.getPathInfo()
                            + " " + request.getAttribute(RequestDispatcher.INCLUDE_CONTEXT_PATH)
                            + " " + request.getAttribute(RequestDispatcher.FORWARD_CONTEXT_PATH)
                            + " " + request.getAttribute(AsyncContext.ASYNC_CONTEXT_PATH));
        }
    }

    /** Stores the number of its calls in the session of its context. */
    private static final class CountingServlet extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            HttpSession session = request.getSession();
            Integer before = (Integer) session.getAttribute("count");
            session.setAttribute("count", before == null ? 1 : before + 1);
            response.getWriter()
                    .print(session.getServletContext().getContextPath() + session.getAttribute("count") + " "
                            + request.isRequestedSessionIdValid());
        }
    }

    private final class RecordingListener implements ServletRequestListener {
        @Override
        public void requestInitialized(ServletRequestEvent event) {
            listenerCalls.add("begins in " + event.getServletContext().getContextPath());
        }

        @Override
        public void requestDestroyed(ServletRequestEvent event) {
            listenerCalls.add("ends in " + event.getServletContext().getContextPath());
        }
    }

    private Penstock start(String policy) throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("cross-context", policy)
                .context("/a", context -> context.servlet("lead", new DispatchingServlet(), "/lead/*")
                        .servlet("count", new CountingServlet(), "/count")
                        .listener(new RecordingListener()))
                .context("/b", context -> context.servlet("show", new PathsServlet(), "/show/*")
                        .servlet("count", new CountingServlet(), "/show/count", "/count")
                        .listener(new RecordingListener()))
                .start();
    }

    private static String body(Penstock server, String target, String... lines) throws IOException {
        return RawExchange.get(server, target, lines).body();
    }

    @Test
    void aForwardedRequestHasThePathOfTheOtherContext() throws Exception {
        try (Penstock server = start("allow")) {
            assertEquals("/b shows /b /x null /a null", body(server, "/a/lead/x?forward"));
        }
    }

    @Test
    void anIncludedServletRunsInItsOwnContextAndSeesTheOriginalRequestPath() throws Exception {
        try (Penstock server = start("allow")) {
            assertTrue(body(server, "/a/lead/x?include").contains("/b shows /a /x /b null null"));
        }
    }

    @Test
    void aServletCalledByANamedDispatcherRunsInItsOwnContext() throws Exception {
        try (Penstock server = start("allow")) {
            assertTrue(body(server, "/a/lead/x?name").contains("/b shows /a /x null null null"));
        }
    }

    @Test
    void anAsynchronousDispatchReachesAnotherContext() throws Exception {
        try (Penstock server = start("allow")) {
            assertTrue(body(server, "/a/lead/x?async").contains("/b shows /b /x null null /a"));
        }
    }

    @Test
    void requestListenersOfBothContextsAreCalledInNestedOrder() throws Exception {
        List<String> nested = List.of("begins in /a", "begins in /b", "ends in /b", "ends in /a");
        for (String way : List.of("forward", "include", "name", "async")) {
            listenerCalls.clear();
            try (Penstock server = start("allow")) {
                body(server, "/a/lead/x?" + way);
            }
            assertEquals(nested, listenerCalls, way);
        }
    }

    @Test
    void eachContextHasASeparateSessionThatContinuesInLaterRequests() throws Exception {
        try (Penstock server = start("allow")) {
            RawExchange first = RawExchange.get(server, "/a/lead/count?include");
            assertTrue(first.text().contains("/b1 false"), first.text());
            List<String> cookies = first.values("Set-Cookie");
            assertEquals(2, cookies.size(), first.text());
            assertTrue(cookies.stream().anyMatch(cookie -> cookie.contains("Path=/a")), first.text());
            assertTrue(cookies.stream().anyMatch(cookie -> cookie.contains("Path=/b")), first.text());
            String cookie =
                    "Cookie: " + cookies.get(0).substring(0, cookies.get(0).indexOf(';'));
            assertTrue(body(server, "/a/lead/count?include", cookie).contains("/b2 true"));
            assertTrue(body(server, "/a/lead/count?forward", cookie).contains("/b3 true"));
            assertTrue(
                    body(server, "/b/count", cookie).contains("/b4 true"),
                    "a direct request to /b does not continue the session of /b");
            assertTrue(
                    body(server, "/a/count", cookie).contains("/a1 true"),
                    "the session of /a contains attributes of /b");
        }
    }

    @Test
    void getContextReturnsNullForOtherContextsIfCrossContextIsSetToRefuse() throws Exception {
        try (Penstock server = start("refuse")) {
            assertEquals("nobody", body(server, "/a/lead/x?forward"));
        }
    }

    @Test
    void getContextAlwaysFindsTheContextOfTheCaller() throws Exception {
        for (String policy : List.of("allow", "refuse")) {
            try (Penstock server = Penstock.builder()
                    .host("127.0.0.1")
                    .port(0)
                    .set("cross-context", policy)
                    .context(
                            "/a",
                            context -> context.servlet(
                                    "self",
                                    new HttpServlet() {
                                        private boolean early;

                                        @Override
                                        public void init() {
                                            early = getServletContext().getContext("/a/x") == getServletContext();
                                        }

                                        @Override
                                        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                                                throws IOException {
                                            ServletContext own = getServletContext();
                                            response.getWriter()
                                                    .print(early + " " + (own.getContext("/a/x") == own) + " "
                                                            + own.getContext("/ab") + " " + own.getContext("a"));
                                        }
                                    },
                                    "/self"))
                    .start()) {
                assertEquals("true true null null", body(server, "/a/self"));
            }
        }
    }

    /**
     * A path can contain percent-encoded characters, dot segments, and path parameters. All these spellings must find the same context.
     */
    @Test
    void getContextFindsAContextByEverySpellingOfItsPath() throws Exception {
        HttpServlet finder = new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                for (String path : List.of("/b c", "/b%20c/x", "/a/../b%20c", "//b c/./", "/b c;x=y", "/..", "/%zz")) {
                    ServletContext found = getServletContext().getContext(path);
                    response.getWriter().print((found == null ? "none" : found.getContextPath()) + "|");
                }
            }
        };
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("cross-context", "allow")
                .context("/a", context -> context.servlet("finder", finder, "/ask"))
                .context("/b c", context -> {})
                .start()) {
            assertEquals("/b%20c|/b%20c|/b%20c|/b%20c|/b%20c|none|none|", body(server, "/a/ask"));
        }
    }
}
