package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.context.ErrorPages;
import io.penstock.exchange.FakeExchange;
import io.penstock.exchange.FakeResponse;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests asynchronous requests whose error handling fails again and again, while the client waits (Servlet 6.1, sections 2.3.3.3 and 10.9).
 * Each such request ends after a few rounds, with status 500 if the response has not been sent, and its listeners are notified of the end.
 */
final class ErrorLoopTest {
    /** A loop that has come so far is endless. From then on the application dispatches no more, so that the test ends. */
    private static final int ENDLESS = 1000;

    private final App app = new App(
            "/app",
            settings -> settings.errorPages(
                    ErrorPages.builder().status(500, "/page").build()));
    private final List<String> ends = new ArrayList<>();
    private int rounds;

    @AfterEach
    void stop() {
        app.close();
    }

    /** A method of {@link AsyncListener} that may dispatch the request. */
    private interface Handler {
        void handle(AsyncContext context) throws IOException;
    }

    private AsyncContext start(HttpServletRequest request, Handler onError, Handler onTimeout, Handler onStart) {
        AsyncContext context = request.startAsync();
        context.setTimeout(1000);
        context.addListener(new AsyncListener() {
            @Override
            public void onComplete(AsyncEvent event) {
                ends.add("complete");
            }

            @Override
            public void onTimeout(AsyncEvent event) throws IOException {
                onTimeout.handle(event.getAsyncContext());
            }

            @Override
            public void onError(AsyncEvent event) throws IOException {
                onError.handle(event.getAsyncContext());
            }

            @Override
            public void onStartAsync(AsyncEvent event) throws IOException {
                onStart.handle(event.getAsyncContext());
            }
        });
        return context;
    }

    private AsyncContext start(HttpServletRequest request, Handler onError) {
        return start(request, onError, context -> {}, context -> {});
    }

    private void dispatchAgain(AsyncContext context, String path) {
        if (++rounds < ENDLESS) {
            context.dispatch(path);
        }
    }

    private void dispatchAgain(AsyncContext context) {
        if (++rounds < ENDLESS) {
            context.dispatch();
        }
    }

    private static IllegalStateException failure() {
        return new IllegalStateException("the target of the dispatch failed");
    }

    private FakeResponse get() {
        app.start();
        return app.get("/app/a");
    }

    /** Sends the request, and lets time-outs pass until the response has ended, at most for this number of seconds. */
    private FakeResponse getWhileTimePasses(int seconds) {
        app.start();
        FakeExchange exchange = FakeExchange.of("GET /app/a");
        app.serve(exchange);
        for (int i = 0; i < seconds && !exchange.response().isEnded(); i++) {
            exchange.elapse(Duration.ofSeconds(1));
        }
        return exchange.response();
    }

    private void assertEndedAfterAFewRounds(FakeResponse response) {
        assertTrue(rounds <= RedispatchLimit.MAX_ERRORS + 1, "rounds: " + rounds);
        assertEquals(500, response.status());
        assertTrue(response.isEnded());
    }

    // ---- onError

    @Test
    void anErrorListenerThatDispatchesToAFailingServletEndsWithStatus500AndOnComplete() {
        app.servlet("/a", (request, response) -> {
            start(request, context -> dispatchAgain(context, "/a"));
            throw failure();
        });
        assertEndedAfterAFewRounds(get());
        assertEquals(List.of("complete"), ends);
        assertEquals(RedispatchLimit.MAX_ERRORS + 1, rounds);
    }

    @Test
    void anErrorListenerThatRetriesAFewTimesSucceeds() {
        app.servlet("/a", (request, response) -> {
            if (rounds == 5) {
                response.getWriter().print("at last");
                return;
            }
            start(request, context -> dispatchAgain(context, "/a"));
            throw failure();
        });
        FakeResponse response = get();
        assertEquals(200, response.status());
        assertEquals("at last", response.text());
    }

    @Test
    void aLoopEndsIfItsErrorsAlternateWithDispatchesThatSucceed() {
        app.servlet("/a", (request, response) -> {
            start(request, context -> dispatchAgain(context, "/b"));
            throw failure();
        });
        app.servlet("/b", (request, response) -> start(request, context -> {}).dispatch("/a"));
        assertEndedAfterAFewRounds(get());
        assertEquals(List.of("complete"), ends);
    }

    @Test
    void aResponseWhoseHeadHasBeenSentIsAbortedAfterAFewRounds() {
        app.servlet("/a", (request, response) -> {
            response.flushBuffer();
            start(request, context -> dispatchAgain(context, "/a"));
            throw failure();
        });
        FakeResponse response = get();
        assertEquals(RedispatchLimit.MAX_ERRORS + 1, rounds);
        assertNotNull(response.aborted());
        assertEquals(List.of("complete"), ends);
    }

    // ---- error pages

    @Test
    void theErrorPageIsTheLastDispatchedRequest() {
        app.servlet("/a", (request, response) -> {
            ends.add("failing servlet");
            throw failure();
        });
        app.servlet("/page", (request, response) -> {
            ends.add("page " + request.getDispatcherType());
            if (request.getDispatcherType() == DispatcherType.ERROR) {
                request.startAsync().dispatch();
            } else {
                response.getWriter().print("sorry");
            }
        });
        FakeResponse response = get();
        assertEquals(List.of("failing servlet", "page ERROR", "page ASYNC"), ends);
        assertEquals(500, response.status());
        assertEquals("sorry", response.text());
    }

    @Test
    void anErrorPageThatDispatchesItselfAgainAndAgainEndsAfterAFewRounds() {
        app.servlet("/a", (request, response) -> response.sendError(500));
        app.servlet("/page", (request, response) -> dispatchAgain(start(request, context -> {})));
        assertEndedAfterAFewRounds(get());
        assertEquals(List.of("complete"), ends);
    }

    @Test
    void anErrorPageThatDispatchesToTheServletThatSendsErrorsEndsAfterAFewRounds() {
        app.servlet("/a", (request, response) -> response.sendError(500));
        app.servlet("/page", (request, response) -> dispatchAgain(start(request, context -> {}), "/a"));
        assertEndedAfterAFewRounds(get());
        assertEquals(List.of("complete"), ends);
    }

    @Test
    void anErrorPageThatDispatchesToTheServletThatThrowsEndsAfterAFewRounds() {
        app.servlet("/a", (request, response) -> {
            start(request, context -> {});
            throw failure();
        });
        app.servlet("/page", (request, response) -> dispatchAgain(request.getAsyncContext(), "/a"));
        assertEndedAfterAFewRounds(get());
        assertEquals(List.of("complete"), ends);
    }

    @Test
    void anAsynchronousErrorPageThatTimesOutAgainAndAgainEndsAfterAFewRounds() {
        app.servlet("/a", (request, response) -> response.sendError(500));
        app.servlet("/page", (request, response) -> {
            if (request.isAsyncStarted()) {
                // The page of the time-out.
                dispatchAgain(request.getAsyncContext(), "/a");
            } else {
                start(request, context -> {});
            }
        });
        assertEndedAfterAFewRounds(getWhileTimePasses(ENDLESS));
        assertEquals(List.of("complete"), ends);
    }

    // ---- other handlers

    @Test
    void aTimeoutListenerThatDispatchesToAFailingServletEndsAfterAFewRounds() {
        app.servlet(
                "/a",
                (request, response) ->
                        start(request, context -> {}, context -> dispatchAgain(context, "/b"), context -> {}));
        app.servlet("/b", (request, response) -> {
            start(request, context -> dispatchAgain(context, "/a"));
            throw failure();
        });
        FakeResponse response = getWhileTimePasses(ENDLESS);
        assertEquals(2 * (RedispatchLimit.MAX_ERRORS + 1), rounds);
        assertEquals(500, response.status());
        assertEquals(List.of("complete"), ends);
    }

    @Test
    void aTaskThatDispatchesAndThenThrowsAgainAndAgainEndsTheRequestAfterAFewRounds() {
        app.servlet("/a", (request, response) -> {
            AsyncContext context = start(request, failed -> {});
            context.start(() -> {
                dispatchAgain(context, "/a");
                throw failure();
            });
        });
        assertEndedAfterAFewRounds(get());
        assertEquals(List.of("complete"), ends);
    }

    @Test
    void aListenerThatThrowsAtEachStartEndsTheRequestAfterAFewRounds() {
        app.servlet("/a", (request, response) -> {
            AsyncContext context = start(request, failed -> {}, timedOut -> {}, started -> {
                throw failure();
            });
            dispatchAgain(context, "/a");
        });
        FakeResponse response = get();
        assertTrue(rounds <= RedispatchLimit.MAX_ERRORS + 2, "rounds: " + rounds);
        assertEquals(500, response.status());
        assertEquals(List.of("complete"), ends);
    }

    @Test
    void aTimeoutListenerThatDispatchesAndThenThrowsEndsTheRequestAfterAFewRounds() {
        app.servlet(
                "/a",
                (request, response) -> start(
                        request,
                        failed -> {},
                        context -> {
                            dispatchAgain(context, "/a");
                            throw failure();
                        },
                        started -> {}));
        assertEndedAfterAFewRounds(getWhileTimePasses(ENDLESS));
        assertEquals(List.of("complete"), ends);
    }

    @Test
    void aWriteListenerThatDispatchesInOnErrorEndsTheRequestAfterAFewRounds() {
        app.servlet("/a", (request, response) -> {
            AsyncContext context = start(request, failed -> {});
            ServletOutputStream out = response.getOutputStream();
            out.setWriteListener(new WriteListener() {
                @Override
                public void onWritePossible() {
                    throw failure();
                }

                @Override
                public void onError(Throwable thrown) {
                    dispatchAgain(context, "/a");
                }
            });
        });
        FakeResponse response = get();
        assertTrue(rounds <= RedispatchLimit.MAX_ERRORS + 1, "rounds: " + rounds);
        assertTrue(response.isEnded() || response.aborted() != null);
        assertEquals(List.of("complete"), ends);
    }

    // ---- no errors

    @Test
    void aServletMayDispatchItselfAnyNumberOfTimes() {
        app.servlet("/a", (request, response) -> {
            if (++rounds <= 10_000) {
                request.startAsync().dispatch();
            } else {
                response.getWriter().print("done");
            }
        });
        assertEquals("done", get().text());
        assertEquals(10_001, rounds);
    }

    @Test
    void aTimeoutListenerMayDispatchAnyNumberOfTimes() {
        app.servlet("/a", (request, response) -> {
            if (++rounds <= 10_000) {
                start(request, failed -> {}, context -> context.dispatch("/a"), started -> {});
            } else {
                response.getWriter().print("done");
            }
        });
        assertEquals("done", getWhileTimePasses(10_000).text());
    }
}
