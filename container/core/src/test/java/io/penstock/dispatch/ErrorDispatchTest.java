package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.context.ErrorPages;
import io.penstock.exchange.ClientFault;
import io.penstock.exchange.FakeExchange;
import io.penstock.exchange.FakeResponse;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests error pages and the handling of exceptions (Servlet 6.1, section 10.9). */
class ErrorDispatchTest {
    private final App app = new App(
            "/app",
            settings -> settings.errorPages(ErrorPages.builder()
                    .status(404, "/missing")
                    .throwable("java.lang.RuntimeException", "/runtime")
                    .throwable("java.lang.IllegalStateException", "/state")
                    .status(418, "/broken")
                    .build()));

    @AfterEach
    void stop() {
        app.close();
    }

    private static String error(HttpServletRequest request) {
        Object exception = request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
        return request.getDispatcherType() + " " + request.getMethod() + " " + request.getServletPath() + " "
                + request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) + " "
                + request.getAttribute(RequestDispatcher.ERROR_METHOD) + " "
                + request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) + " "
                + request.getAttribute(RequestDispatcher.ERROR_SERVLET_NAME) + " "
                + (exception == null ? "-" : exception.getClass().getSimpleName()) + " "
                + request.getAttribute(RequestDispatcher.ERROR_MESSAGE);
    }

    private void declareErrorPages() {
        app.servlet("/missing", (request, response) -> response.getWriter().print(error(request)));
        app.servlet("/runtime", (request, response) -> response.getWriter().print("runtime " + error(request)));
        app.servlet("/state", (request, response) -> response.getWriter().print("state " + error(request)));
        app.servlet("/broken", (request, response) -> {
            throw new StackOverflowError("the page itself");
        });
    }

    private FakeResponse responseOf(App.Service service) {
        app.servlet("culprit", "/fail", service);
        declareErrorPages();
        app.start();
        return app.serve(FakeExchange.post("/app/fail?x=1", "text/plain", ""));
    }

    @Test
    void theErrorPageDeclaredForTheStatusIsSentAfterSendError() {
        FakeResponse sink = responseOf((request, response) -> {
            response.addCookie(new Cookie("kept", "1"));
            response.setHeader("ETag", "\"of the body\"");
            response.getWriter().print("gone");
            response.sendError(404, "no such thing");
            response.getWriter().print("ignored");
        });
        assertEquals(404, sink.status());
        assertEquals("ERROR GET /missing 404 POST /app/fail culprit - no such thing", sink.text());
        assertEquals("kept=1", sink.header("Set-Cookie"));
        assertNull(sink.header("ETag"));
    }

    @Test
    void theErrorPageForTheNearestSuperclassOfTheExceptionIsSent() {
        FakeResponse sink = responseOf((request, response) -> {
            throw new IllegalThreadStateException("argument");
        });
        assertEquals(500, sink.status());
        assertEquals(
                "runtime ERROR GET /runtime 500 POST /app/fail culprit IllegalThreadStateException argument",
                sink.text());
    }

    @Test
    void theRootCauseOfAServletExceptionSelectsTheErrorPage() {
        FakeResponse sink = responseOf((request, response) -> {
            throw new ServletException(new IllegalStateException("root"));
        });
        assertEquals("state ERROR GET /state 500 POST /app/fail culprit IllegalStateException root", sink.text());
    }

    @Test
    void theDefaultErrorPageIsSentIfTheDeclaredErrorPageFails() {
        FakeResponse sink = responseOf((request, response) -> response.sendError(418, "<script>"));
        assertEquals(418, sink.status());
        assertTrue(sink.text().contains("&lt;script&gt;"), sink.text());
        assertFalse(sink.text().contains("<script>"));
        assertEquals("text/html;charset=UTF-8", sink.header("Content-Type"));
    }

    @Test
    void theDefaultErrorPageContainsNoDetailsOfTheServerOrTheException() {
        FakeResponse sink = responseOf((request, response) -> {
            throw new Error("internal detail");
        });
        assertEquals(500, sink.status());
        assertFalse(sink.text().contains("internal detail"));
        assertFalse(sink.text().toLowerCase(java.util.Locale.ROOT).contains("penstock"));
    }

    @Test
    void theDefaultErrorPageShowsTheExceptionIfShowExceptionsIsSet() {
        try (App developed = new App("/app", settings -> settings.initParameter("penstock.show-exceptions", "true"))) {
            developed.servlet("/fail", (request, response) -> {
                throw new ServletException("<wrapped>", new IllegalArgumentException("the cause"));
            });
            developed.start();
            FakeResponse page = developed.serve(FakeExchange.of("GET /app/fail", "Accept: text/html,*/*"));
            assertEquals(500, page.status());
            assertEquals("text/html;charset=UTF-8", page.header("Content-Type"));
            assertTrue(
                    page.text().contains("ServletException: &lt;wrapped&gt;\nCaused by: java.lang.Illegal"),
                    page.text());
            assertTrue(page.text().contains("Caused by: java.lang.IllegalArgumentException: the cause"), page.text());

            FakeResponse text = developed.serve(FakeExchange.of("GET /app/fail"));
            assertEquals("text/plain;charset=UTF-8", text.header("Content-Type"));
            assertTrue(text.text().startsWith("jakarta.servlet.ServletException: <wrapped>\n\tat "), text.text());
        }
    }

    @Test
    void anUnavailableServletShowsItsReasonOnlyIfShowExceptionsIsSet() {
        for (boolean shows : new boolean[] {true, false}) {
            try (App served = new App(
                    "/app", settings -> settings.initParameter("penstock.show-exceptions", Boolean.toString(shows)))) {
                served.servlet("/fail", (request, response) -> {
                    throw new UnavailableException("<no> printer");
                });
                served.start();
                FakeResponse page = served.serve(FakeExchange.of("GET /app/fail", "Accept: text/html"));
                assertEquals(404, page.status());
                assertEquals(shows, page.text().contains("&lt;no&gt; printer"), page.text());
                assertEquals(shows, page.text().contains("UnavailableException"), page.text());
            }
        }
    }

    @Test
    void setStatusSendsNoErrorPage() {
        FakeResponse sink = responseOf((request, response) -> response.setStatus(404));
        assertEquals(404, sink.status());
        assertEquals("", sink.text());
    }

    @Test
    void anExceptionAfterTheCommitAbortsTheResponse() {
        FakeResponse sink = responseOf((request, response) -> {
            response.flushBuffer();
            throw new IllegalStateException("late");
        });
        assertEquals(200, sink.status());
        assertNotNull(sink.aborted());
    }

    @Test
    void theStatusIs503ForATemporarilyUnavailableServlet() {
        FakeResponse sink = responseOf((request, response) -> {
            throw new UnavailableException("later", 7);
        });
        assertEquals(503, sink.status());
        assertEquals("7", sink.header("Retry-After"));
    }

    @Test
    void theStatusIs404ForAPermanentlyUnavailableServlet() {
        FakeResponse sink = responseOf((request, response) -> {
            throw new UnavailableException("never");
        });
        assertEquals(404, sink.status());
    }

    @Test
    void aClientFaultDuringAReadDeterminesTheStatusOfTheResponse() {
        app.servlet("/read", (request, response) -> request.getInputStream().readAllBytes());
        app.start();
        FakeExchange exchange = FakeExchange.of("POST /app/read", "Transfer-Encoding: chunked");
        exchange.body().fail(new ClientFault(408, "stalled"));
        assertEquals(408, app.serve(exchange).status());
    }

    @Test
    void invalidParametersCauseAnIllegalStateExceptionAndStatus400() {
        List<String> seen = new ArrayList<>();
        app.servlet("/form", (request, response) -> {
            try {
                request.getParameter("a");
            } catch (IllegalStateException e) {
                seen.add("illegal state");
                throw e;
            }
        });
        app.start();
        assertEquals(400, app.get("/app/form?a=%zz").status());
        assertEquals(List.of("illegal state"), seen);
    }

    /**
     * An error page of Spring MVC needs the exception that the servlet has thrown. Without this exception, Spring MVC would read the parts
     * of the upload again.
     */
    @Test
    void theErrorPageForAClientFaultGetsTheStatusOfTheFaultAndTheExceptionOfTheServlet() {
        FakeResponse sink = responseOf((request, response) -> {
            throw new IllegalStateException("parts", new ClientFault(404, "planned"));
        });
        assertEquals(404, sink.status());
        assertEquals("ERROR GET /missing 404 POST /app/fail culprit IllegalStateException Not Found", sink.text());
    }

    @Test
    void aRequestForAPathWithoutAServletGetsTheErrorPageForStatus404() {
        declareErrorPages();
        app.start();
        FakeResponse sink = app.get("/app/nowhere");
        assertEquals(404, sink.status());
        assertTrue(sink.text().startsWith("ERROR GET /missing 404"), sink.text());
    }
}
