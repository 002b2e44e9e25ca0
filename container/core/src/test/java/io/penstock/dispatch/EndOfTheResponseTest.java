package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.FakeExchange;
import io.penstock.exchange.FakeResponse;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that the server sends the buffered response at the end of the exchange, after all filters and listeners. The server sends a
 * complete response earlier only if the application flushes the response or closes the stream.
 */
class EndOfTheResponseTest {
    private final App app = new App();
    private final List<String> sentBeforeTheEnd = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        app.close();
    }

    /**
     * Serves a request with a filter, a request listener and a servlet that calls {@code service}. Records in {@link #sentBeforeTheEnd}
     * which data the server sent before the filter and the listener returned.
     */
    private FakeResponse serve(App.Service service) {
        FakeExchange exchange = FakeExchange.of("GET /app/a");
        app.filter("/a", Set.of(DispatcherType.REQUEST), (request, response, chain) -> {
            chain.doFilter(request, response);
            sentBeforeTheEnd.addAll(exchange.response().calls());
        });
        app.listener(new ServletRequestListener() {
            @Override
            public void requestDestroyed(ServletRequestEvent event) {
                sentBeforeTheEnd.clear();
                sentBeforeTheEnd.addAll(exchange.response().calls());
            }
        });
        app.servlet("/a", (request, response) -> {
            response.setBufferSize(1000); // The buffer must hold the complete response.
            service.serve(request, response);
        });
        app.servlet("/b", (request, response) -> response.getWriter().print("b"));
        app.start();
        FakeResponse sink = app.serve(exchange);
        assertTrue(sink.isEnded());
        assertEquals(0, sink.outstanding());
        return sink;
    }

    @Test
    void aRedirectIsSentAtTheEndOfTheExchange() {
        FakeResponse sink = serve((request, response) -> response.sendRedirect("/b"));
        assertEquals(List.of(), sentBeforeTheEnd);
        assertEquals(302, sink.status());
    }

    @Test
    void anErrorResponseIsSentAtTheEndOfTheExchange() {
        FakeResponse sink = serve((request, response) -> response.sendError(404));
        assertEquals(List.of(), sentBeforeTheEnd);
        assertEquals(404, sink.status());
    }

    @Test
    void theResponseOfAForwardIsSentAtTheEndOfTheExchange() {
        FakeResponse sink =
                serve((request, response) -> request.getRequestDispatcher("/b").forward(request, response));
        assertEquals(List.of(), sentBeforeTheEnd);
        assertEquals(List.of("segment 1 last"), sink.calls());
    }

    @Test
    void aCompleteBodyIsSentAtTheEndOfTheExchange() {
        FakeResponse sink = serve((request, response) -> {
            response.setContentLength(3);
            response.getOutputStream().print("abc");
            assertTrue(response.isCommitted());
            assertThrows(IllegalStateException.class, request::startAsync);
        });
        assertEquals(List.of(), sentBeforeTheEnd);
        assertEquals(List.of("segment 3 last"), sink.calls());
    }

    @Test
    void aCompleteBodyIsSentEvenIfTheApplicationFailsByWritingMore() {
        FakeResponse sink = serve((request, response) -> {
            response.setContentLength(3);
            response.getOutputStream().print("abc");
            response.getOutputStream().print("beyond");
        });
        assertEquals("abc", sink.text());
        assertEquals(200, sink.status());
    }

    @Test
    void aCompleteBodyIsSentAtOnceAfterAFlush() {
        FakeResponse sink = serve((request, response) -> {
            response.setContentLength(3);
            response.getOutputStream().print("abc");
            response.flushBuffer();
            response.flushBuffer();
        });
        assertEquals(List.of("segment 3 last", "flush"), sentBeforeTheEnd);
        assertEquals(sentBeforeTheEnd, sink.calls());
    }

    @Test
    void aCompleteBodyIsSentAtOnceAfterTheCloseOfTheStream() {
        serve((request, response) -> {
            response.setContentLength(3);
            response.getOutputStream().print("abc");
            response.getOutputStream().close();
        });
        assertEquals(List.of("segment 3 last", "flush"), sentBeforeTheEnd);
    }

    @Test
    void aRedirectIsSentAtOnceAfterAFlush() {
        FakeResponse sink = serve((request, response) -> {
            response.sendRedirect("/b");
            response.flushBuffer();
        });
        assertEquals(sink.calls(), sentBeforeTheEnd);
        assertEquals(302, sink.status());
    }

    /** If the application fails before the response is sent, the client gets an error response instead of the redirect. */
    @Test
    void anErrorResponseIsSentInsteadOfARedirectIfTheApplicationFails() {
        FakeResponse sink = serve((request, response) -> {
            response.sendRedirect("/b");
            throw new IllegalStateException("the transaction could not be committed");
        });
        assertEquals(500, sink.status());
        assertFalse(sink.text().contains("The page is at"));
    }

    @Test
    void theResponseToAnAsynchronousRequestIsSentAfterComplete() {
        FakeExchange exchange = FakeExchange.of("GET /app/a");
        app.servlet("/a", (request, response) -> {
            var async = request.startAsync();
            response.setContentLength(3);
            response.getOutputStream().print("abc");
            assertEquals(List.of(), exchange.response().calls());
            async.complete();
        });
        app.start();
        FakeResponse sink = app.serve(exchange);
        assertEquals(List.of("segment 3 last"), sink.calls());
    }
}
