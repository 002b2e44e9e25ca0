package io.penstock.dispatch;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.Exchange.ClientState;
import io.penstock.exchange.FakeExchange;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests repeated dispatches of an asynchronous request. Each dispatch replaces the previous dispatch, and an endless loop of dispatches
 * ends after the client has disconnected.
 */
final class RedispatchTest {
    private static final int MANY = 100_000;

    private final App app = new App();
    private final List<String> heard = new ArrayList<>();
    private final List<WeakReference<HttpServletRequest>> former = new ArrayList<>();
    private int dispatchCount;

    @AfterEach
    void close() {
        app.close();
    }

    /** Starts the next asynchronous cycle. */
    private interface Start {
        AsyncContext start(HttpServletRequest request, HttpServletResponse response);
    }

    /** Waits until the garbage collector has collected the former requests. At most {@code remaining} former requests can remain. */
    private void awaitCollected(int remaining) {
        await().until(() -> {
            System.gc();
            return former.stream().filter(one -> one.get() != null).count() <= remaining;
        });
    }

    private void assertFormerRequestsAreCollected(Start start) {
        app.servlet("/loop", (request, response) -> {
            dispatchCount++;
            assertEquals("1", request.getParameter("first"));
            assertEquals(dispatchCount == 1 ? 1 : 2, request.getParameterMap().size());
            if (dispatchCount > 1) {
                assertArrayEquals(new String[] {"" + (dispatchCount - 1)}, request.getParameterValues("x"));
                assertEquals("x=" + (dispatchCount - 1), request.getQueryString());
            }
            if (dispatchCount % 100 == 2) {
                former.add(new WeakReference<>(request));
            }
            if (dispatchCount <= MANY) {
                start.start(request, response).dispatch("/loop?x=" + dispatchCount);
            } else {
                awaitCollected(2);
                response.getWriter().print("done");
            }
        });
        app.start();
        assertEquals("done", app.get("/app/loop?first=1").text());
        assertEquals(MANY + 1, dispatchCount);
    }

    @Test
    void formerRequestsAreGarbageCollectedAfterManyDispatches() {
        assertFormerRequestsAreCollected((request, response) -> request.startAsync());
    }

    @Test
    void formerRequestsAreGarbageCollectedIfTheRequestIsGivenToStartAsync() {
        assertFormerRequestsAreCollected((request, response) -> request.startAsync(request, response));
    }

    @Test
    void formerRequestsAreGarbageCollectedIfEachDispatchForwardsTheRequest() {
        app.servlet("/loop", (request, response) -> {
            former.add(new WeakReference<>(request));
            request.getRequestDispatcher("/next?y=1").forward(request, response);
        });
        app.servlet("/next", (request, response) -> {
            dispatchCount++;
            assertTrue(
                    request.getParameterValues("y").length <= 2,
                    "the request has a parameter value of a former dispatch");
            if (dispatchCount <= 1000) {
                request.startAsync(request, response).dispatch("/loop?x=" + dispatchCount);
            } else {
                awaitCollected(4);
                response.getWriter().print("done");
            }
        });
        app.start();
        assertEquals("done", app.get("/app/loop").text());
    }

    @Test
    void theQueryParametersAreAddedOnlyOnceIfTheSamePathIsDispatchedAgain() {
        List<String> seen = new ArrayList<>();
        app.servlet("/a", (request, response) -> request.startAsync().dispatch("/b?x=1"));
        app.servlet("/b", (request, response) -> {
            seen.add(request.getQueryString() + " " + String.join(",", request.getParameterValues("x")));
            dispatchCount++;
            if (dispatchCount == 1) {
                request.startAsync().dispatch();
            } else if (dispatchCount == 2) {
                request.startAsync(request, response).dispatch();
            }
        });
        app.start();
        app.get("/app/a?q=1");
        assertEquals(List.of("x=1 1", "x=1 1", "x=1 1"), seen);
    }

    // ---- disconnected clients

    /**
     * Runs a loop of dispatches. The client has the state {@code clientState} from the tenth dispatch on. The test fails if the loop does
     * not end.
     */
    private FakeExchange loop(ClientState clientState) {
        FakeExchange exchange = FakeExchange.of("GET /app/loop");
        app.servlet("/loop", (request, response) -> {
            dispatchCount++;
            assertTrue(dispatchCount <= 10_000, "the loop continues after the client has disconnected");
            if (dispatchCount == 10) {
                exchange.setClientState(clientState);
            }
            AsyncContext context = request.startAsync();
            heard.clear();
            context.addListener(new RecordingAsyncListener(heard));
            context.dispatch("/loop?x=" + dispatchCount);
        });
        app.start();
        app.serve(exchange);
        return exchange;
    }

    @Test
    void aLoopOfDispatchesEndsWhenTheClientHasDisconnected() {
        FakeExchange exchange = loop(ClientState.GONE);
        assertEquals(10, dispatchCount);
        assertEquals(List.of("error", "complete"), heard);
        assertNotNull(exchange.response().aborted());
    }

    @Test
    void aLoopOfDispatchesEndsLaterIfTheConnectionIsOnlyHalfClosed() {
        loop(ClientState.INPUT_ENDED);
        assertEquals(10 + RedispatchLimit.AFTER_INPUT, dispatchCount);
        assertEquals(List.of("error", "complete"), heard);
    }

    /**
     * After the client has disconnected, an error listener can dispatch the request once, for example to a servlet that cleans up.
     * Dispatches by this servlet do not run.
     */
    @Test
    void anErrorListenerCanDispatchOnlyOnceAfterTheClientHasDisconnected() {
        FakeExchange exchange = FakeExchange.of("GET /app/a");
        app.servlet("/a", (request, response) -> {
            exchange.setClientState(ClientState.GONE);
            AsyncContext context = request.startAsync();
            context.addListener(new CleanUpListener());
            context.dispatch("/a");
        });
        app.servlet("/tidy", (request, response) -> {
            heard.add("tidy");
            AsyncContext context = request.startAsync();
            context.addListener(new CleanUpListener());
            context.dispatch("/tidy");
        });
        app.start();
        app.serve(exchange);
        assertEquals(List.of("error", "tidy", "start", "complete"), heard);
    }

    private final class CleanUpListener implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            heard.add("complete");
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            heard.add("timeout");
        }

        @Override
        public void onError(AsyncEvent event) {
            heard.add("error");
            event.getAsyncContext().dispatch("/tidy");
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            heard.add("start");
        }
    }
}
