package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.FakeExchange;
import io.penstock.exchange.FakeResponse;
import io.penstock.limits.Key;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests asynchronous processing (Servlet 6.1, section 2.3.3.3). */
class AsyncTest {
    private final App app = new App();
    private final List<String> heard = new ArrayList<>();
    private final AtomicReference<AsyncContext> async = new AtomicReference<>();

    @AfterEach
    void stop() {
        app.close();
    }

    /** A listener that records the calls of its methods. Some tests override a method. */
    private class RecordingListener implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            heard.add("complete");
        }

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            heard.add("timeout");
        }

        @Override
        public void onError(AsyncEvent event) throws IOException {
            heard.add("error " + event.getThrowable().getMessage());
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            heard.add("start");
        }
    }

    private FakeExchange serveAsync(App.Service then) {
        app.servlet("/a", (request, response) -> {
            AsyncContext context = request.startAsync();
            context.addListener(new RecordingListener());
            async.set(context);
            then.serve(request, response);
        });
        app.start();
        FakeExchange exchange = FakeExchange.of("GET /app/a?q=1");
        app.serve(exchange);
        return exchange;
    }

    @Test
    void theResponseEndsOnlyAfterTheCallOfComplete() throws IOException {
        FakeExchange exchange =
                serveAsync((request, response) -> response.getWriter().print("a"));
        assertFalse(exchange.response().isEnded());
        async.get().getResponse().getWriter().print("b");
        async.get().complete();
        assertFalse(exchange.response().isEnded());
        exchange.runJobs();
        assertEquals("ab", exchange.response().text());
        assertEquals(List.of("segment 2 last"), exchange.response().calls());
        assertEquals(List.of("complete"), heard);
    }

    @Test
    void aCallOfCompleteTakesEffectWhenTheServletReturns() {
        FakeExchange exchange = serveAsync((request, response) -> {
            async.get().complete();
            assertTrue(request.isAsyncStarted());
            assertThrows(IllegalStateException.class, () -> async.get().dispatch());
            assertThrows(IllegalStateException.class, () -> async.get().getRequest());
            response.getWriter().print("still here");
        });
        assertEquals("still here", exchange.response().text());
        assertTrue(exchange.response().isEnded());
    }

    @Test
    void aSecondCallOfStartAsyncInTheSameDispatchThrowsIllegalStateException() {
        FakeExchange exchange =
                serveAsync((request, response) -> assertThrows(IllegalStateException.class, request::startAsync));
        async.get().complete();
        exchange.runJobs();
        assertTrue(exchange.response().isEnded());
        assertThrows(IllegalStateException.class, () -> async.get().complete());
    }

    @Test
    void listenersAndTheTimeoutCanBeChangedUntilCompleteAsOtherServersAllow() {
        FakeExchange exchange = serveAsync((request, response) -> async.get().setTimeout(5000));
        exchange.elapse(Duration.ofMillis(4999));
        async.get().setTimeout(7000);
        assertEquals(7000, async.get().getTimeout());
        async.get().addListener(new RecordingListener());
        exchange.elapse(Duration.ofMillis(6999));
        assertEquals(List.of(), heard, "the former time is over, but not the new time");
        exchange.elapse(Duration.ofMillis(1));
        assertEquals(List.of("timeout", "timeout", "complete", "complete"), heard);
        assertThrows(IllegalStateException.class, () -> async.get().setTimeout(7));
        assertThrows(IllegalStateException.class, () -> async.get().addListener(new RecordingListener()));
    }

    @Test
    void aTimeoutCanBeSetOrRemovedAfterTheServletHasReturned() {
        FakeExchange exchange = serveAsync((request, response) -> async.get().setTimeout(0));
        exchange.elapse(Duration.ofMinutes(10));
        async.get().setTimeout(1000);
        exchange.elapse(Duration.ofMillis(999));
        async.get().setTimeout(0);
        exchange.elapse(Duration.ofMinutes(10));
        assertEquals(List.of(), heard);
        async.get().complete();
        assertThrows(IllegalStateException.class, () -> async.get().setTimeout(7));
        assertThrows(IllegalStateException.class, () -> async.get().addListener(new RecordingListener()));
    }

    @Test
    void listenersAreNotifiedOfATimeoutAndTheStatusIs500() {
        FakeExchange exchange = serveAsync((request, response) -> async.get().setTimeout(1000));
        exchange.elapse(Duration.ofMillis(999));
        assertEquals(List.of(), heard);
        exchange.elapse(Duration.ofMillis(1));
        assertEquals(List.of("timeout", "complete"), heard);
        assertEquals(500, exchange.response().status());
        assertTrue(exchange.response().isEnded());
    }

    @Test
    void aListenerCanSendAResponseAfterATimeout() {
        FakeExchange exchange = serveAsync((request, response) -> async.get().addListener(new RecordingListener() {
            @Override
            public void onTimeout(AsyncEvent event) throws IOException {
                event.getAsyncContext().getResponse().getWriter().print("too late");
                event.getAsyncContext().complete();
            }
        }));
        exchange.elapse(Duration.ofSeconds(30));
        assertEquals(200, exchange.response().status());
        assertEquals("too late", exchange.response().text());
    }

    @Test
    void aTimeoutIsReportedToTheExchange() {
        FakeExchange exchange = serveAsync((request, response) -> async.get().setTimeout(1000));
        exchange.elapse(Duration.ofSeconds(1));
        assertEquals(List.of(Key.ASYNC_TIMEOUT), exchange.timedOut());
    }

    @Test
    void listenersAreNotifiedOnceWhenTheClientDisconnects() {
        FakeExchange exchange = serveAsync((request, response) -> {});
        exchange.disconnectClient();
        exchange.disconnectClient();
        assertEquals(List.of("error The client is gone", "complete"), heard);
        assertNotNull(exchange.response().aborted());
        assertThrows(IllegalStateException.class, () -> async.get().complete());
        exchange.elapse(Duration.ofMinutes(1));
        assertEquals(List.of("error The client is gone", "complete"), heard);
    }

    @Test
    void listenersGetNoErrorIfTheClientDisconnectsAfterComplete() {
        FakeExchange exchange = serveAsync((request, response) -> {});
        async.get().complete();
        exchange.disconnectClient();
        assertEquals(List.of("complete"), heard);
    }

    @Test
    void aListenerCanDispatchAfterTheClientHasDisconnected() {
        List<String> seen = new ArrayList<>();
        app.servlet("/clean", (request, response) -> seen.add("cleaned up"));
        FakeExchange exchange = serveAsync((request, response) -> async.get().addListener(new RecordingListener() {
            @Override
            public void onError(AsyncEvent event) throws IOException {
                event.getAsyncContext().dispatch("/clean");
            }
        }));
        exchange.disconnectClient();
        assertEquals(List.of("cleaned up"), seen);
        assertEquals(List.of("error The client is gone", "complete", "complete"), heard);
    }

    @Test
    void theStatusIs503IfTheServletThrowsAfterTheTimeLimitOfTheRequest() {
        FakeExchange exchange = FakeExchange.of("GET /app/a");
        app.servlet("/a", (request, response) -> {
            exchange.becomeOverdue();
            throw new IOException("interrupted");
        });
        app.start();
        app.serve(exchange);
        assertEquals(503, exchange.response().status());
    }

    @Test
    void noTimeoutOccursAfterComplete() {
        FakeExchange exchange = serveAsync((request, response) -> async.get().setTimeout(1000));
        async.get().complete();
        exchange.elapse(Duration.ofSeconds(5));
        assertEquals(List.of("complete"), heard);
    }

    @Test
    void aDispatchWithoutAPathRunsTheSameServletAgain() {
        List<String> seen = new ArrayList<>();
        app.filter("/a", EnumSet.of(DispatcherType.ASYNC), (request, response, chain) -> {
            seen.add("filter");
            chain.doFilter(request, response);
        });
        app.servlet("/a", (request, response) -> {
            seen.add(request.getDispatcherType() + " " + request.getRequestURI() + " " + request.getParameter("q") + " "
                    + request.getAttribute(AsyncContext.ASYNC_REQUEST_URI));
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                response.getWriter().print("one ");
                request.startAsync().dispatch();
                assertFalse(response.isCommitted());
            } else {
                response.getWriter().print("two");
            }
        });
        app.start();
        FakeResponse sink = app.get("/app/a?q=1");
        assertEquals(List.of("REQUEST /app/a 1 null", "filter", "ASYNC /app/a 1 /app/a"), seen);
        assertEquals("one two", sink.text());
        assertTrue(sink.isEnded());
    }

    @Test
    void aRequestDispatchedToAPathHasThePathElementsOfTheTarget() {
        app.servlet("/a", (request, response) -> request.startAsync().dispatch("/b/x?r=2"));
        app.servlet("/b/*", (request, response) -> response.getWriter()
                .print(request.getServletPath()
                        + request.getPathInfo()
                        + request.getParameter("r")
                        + request.getAttribute(AsyncContext.ASYNC_SERVLET_PATH)
                        + request.isAsyncStarted()));
        app.start();
        assertEquals("/b/x2/afalse", app.get("/app/a").text());
    }

    @Test
    void listenersOfThePreviousAsyncCycleAreNotifiedOfANewCycle() {
        app.servlet("/a", (request, response) -> {
            AsyncContext context = request.startAsync();
            context.addListener(new RecordingListener());
            Integer round = (Integer) request.getAttribute("round");
            if (round == null) {
                request.setAttribute("round", 1);
                context.dispatch();
            } else {
                context.complete();
            }
        });
        app.start();
        app.get("/app/a");
        assertEquals(List.of("start", "complete"), heard);
    }

    @Test
    void theTargetOfADispatchReceivesTheRequestWrapperPassedToStartAsync() {
        AtomicReference<Object> given = new AtomicReference<>();
        app.servlet("/a", (request, response) -> {
            HttpServletRequestWrapper wrapped = new HttpServletRequestWrapper(request);
            given.set(wrapped);
            AsyncContext context = request.startAsync(wrapped, new HttpServletResponseWrapper(response));
            assertFalse(context.hasOriginalRequestAndResponse());
            assertSame(wrapped, context.getRequest());
            context.dispatch("/b");
        });
        app.servlet("/b", (request, response) -> {
            assertSame(given.get(), request);
            response.getWriter().print(request.getDispatcherType() + request.getServletPath());
        });
        app.start();
        assertEquals("ASYNC/b", app.get("/app/a").text());
    }

    @Test
    void listenersAreNotifiedOfAnExceptionAfterStartAsyncAndTheStatusIs500() {
        FakeExchange exchange = serveAsync((request, response) -> {
            throw new IOException("broken");
        });
        assertEquals(List.of("error broken", "complete"), heard);
        assertEquals(500, exchange.response().status());
        assertTrue(exchange.response().isEnded());
    }

    @Test
    void theStatusIs500AndTheRequestIsCompletedIfTheServletThrowsAfterComplete() {
        FakeExchange exchange = serveAsync((request, response) -> {
            async.get().complete();
            throw new IOException("after all");
        });
        assertEquals(List.of("complete"), heard);
        assertEquals(500, exchange.response().status());
        assertTrue(exchange.response().isEnded());
    }

    @Test
    void aListenerCanDispatchToAnotherServletAfterAnError() {
        app.servlet("/b", (request, response) -> response.getWriter().print("rescued"));
        FakeExchange exchange = serveAsync((request, response) -> {
            async.get().addListener(new RecordingListener() {
                @Override
                public void onError(AsyncEvent event) {
                    event.getAsyncContext().dispatch("/b");
                }
            });
            throw new IOException("broken");
        });
        assertEquals("rescued", exchange.response().text());
        assertEquals(200, exchange.response().status());
    }

    @Test
    void listenersAreNotifiedOfAnExceptionInATaskOfTheAsyncContextAndTheStatusIs500() {
        FakeExchange exchange = serveAsync((request, response) -> async.get().start(() -> {
            throw new IllegalStateException("task");
        }));
        assertEquals(List.of("error task", "complete"), heard);
        assertEquals(500, exchange.response().status());
    }

    @Test
    void startAsyncThrowsInAServletWithoutAsyncSupport() {
        app.servlet("/a", (request, response) -> {
                    assertFalse(request.isAsyncSupported());
                    assertThrows(IllegalStateException.class, request::startAsync);
                })
                .asyncSupported(false);
        app.start();
        assertTrue(app.get("/app/a").isEnded());
    }

    @Test
    void otherListenersAreNotifiedAfterAListenerHasThrownAnException() {
        FakeExchange exchange = serveAsync((request, response) -> {
            async.get().addListener(new RecordingListener() {
                @Override
                public void onComplete(AsyncEvent event) {
                    throw new IllegalStateException("listener");
                }
            });
            async.get().addListener(new RecordingListener());
        });
        async.get().complete();
        exchange.runJobs();
        assertEquals(List.of("complete", "complete"), heard);
    }

    @Test
    void aReadListenerCanReadTheBodyAndCompleteTheRequest() {
        StringBuilder read = new StringBuilder();
        app.servlet("/a", (request, response) -> {
            AsyncContext context = request.startAsync();
            ServletInputStream in = request.getInputStream();
            in.setReadListener(new ReadListener() {
                @Override
                public void onDataAvailable() throws IOException {
                    while (in.isReady() && !in.isFinished()) {
                        read.append((char) in.read());
                    }
                }

                @Override
                public void onAllDataRead() throws IOException {
                    response.getWriter().print("read " + read);
                    context.complete();
                }

                @Override
                public void onError(Throwable t) {
                    heard.add("read error");
                }
            });
        });
        app.start();
        FakeExchange exchange = FakeExchange.of("POST /app/a", "Transfer-Encoding: chunked");
        app.serve(exchange);
        exchange.body().arrive("half ".getBytes(StandardCharsets.US_ASCII));
        exchange.runJobs();
        exchange.body().arrive("and half".getBytes(StandardCharsets.US_ASCII));
        exchange.body().end();
        exchange.runJobs();
        assertEquals("read half and half", exchange.response().text());
        assertTrue(exchange.response().isEnded());
    }

    /** The stream calls the listener only once for the bytes that have arrived, and the application reads them in the second cycle. */
    @Test
    void aReadListenerIsCalledInTheNextCycleIfBytesArriveWhileADispatchWaits() {
        StringBuilder read = new StringBuilder();
        app.servlet("/a", (request, response) -> {
            async.set(request.startAsync());
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                ServletInputStream in = request.getInputStream();
                in.setReadListener(new ReadListener() {
                    @Override
                    public void onDataAvailable() throws IOException {
                        while (in.isReady() && !in.isFinished()) {
                            read.append((char) in.read());
                        }
                    }

                    @Override
                    public void onAllDataRead() {
                        async.get().complete();
                    }

                    @Override
                    public void onError(Throwable t) {
                        heard.add("read error");
                    }
                });
            }
        });
        app.start();
        FakeExchange exchange = FakeExchange.of("POST /app/a", "Transfer-Encoding: chunked");
        app.serve(exchange);
        exchange.body().arrive("half ".getBytes(StandardCharsets.US_ASCII));
        async.get().dispatch();
        exchange.runJobs();
        assertEquals("half ", read.toString());
        exchange.body().arrive("and half".getBytes(StandardCharsets.US_ASCII));
        exchange.body().end();
        exchange.runJobs();
        assertEquals("half and half", read.toString());
        assertEquals(List.of(), heard);
        assertTrue(exchange.response().isEnded());
    }

    @Test
    void theReadListenerIsNotifiedOfAFailureOfTheRequestBodyAndTheResponseIsEnded() {
        app.servlet("/a", (request, response) -> {
            request.startAsync().addListener(new RecordingListener());
            ServletInputStream in = request.getInputStream();
            in.setReadListener(new ReadListener() {
                @Override
                public void onDataAvailable() throws IOException {
                    in.read();
                }

                @Override
                public void onAllDataRead() {
                    heard.add("all");
                }

                @Override
                public void onError(Throwable t) {
                    heard.add("read error " + t.getMessage());
                }
            });
        });
        app.start();
        FakeExchange exchange = FakeExchange.of("POST /app/a", "Transfer-Encoding: chunked");
        app.serve(exchange);
        exchange.body().fail(new IOException("reset"));
        exchange.runJobs();
        assertEquals(List.of("read error reset", "error reset", "complete"), heard);
        assertTrue(exchange.response().isEnded());
    }

    @Test
    void theRequestEndsInOrderAlthoughTheReadListenerFailsInOnErrorToo() {
        app.servlet("/a", (request, response) -> {
            request.startAsync().addListener(new RecordingListener());
            ServletInputStream in = request.getInputStream();
            in.setReadListener(new ReadListener() {
                @Override
                public void onDataAvailable() throws IOException {
                    in.read();
                }

                @Override
                public void onAllDataRead() {
                    heard.add("all");
                }

                @Override
                public void onError(Throwable t) {
                    heard.add("read error " + t.getMessage());
                    throw new NoClassDefFoundError("of an error handler");
                }
            });
        });
        app.start();
        FakeExchange exchange = FakeExchange.of("POST /app/a", "Transfer-Encoding: chunked");
        app.serve(exchange);
        exchange.body().fail(new IOException("reset"));
        exchange.runJobs();
        assertEquals(List.of("read error reset", "error reset", "complete"), heard);
        assertTrue(exchange.response().isEnded());
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwUndeclared(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** Code in other languages than Java can throw checked exceptions that the interface of a listener does not declare. */
    @Test
    void theRequestEndsInOrderAlthoughAListenerThrowsACheckedExceptionThatItDoesNotDeclare() {
        app.listener(new ServletRequestListener() {
            @Override
            public void requestDestroyed(ServletRequestEvent event) {
                heard.add("destroyed");
                AsyncTest.<RuntimeException>throwUndeclared(new TimeoutException("of a request listener"));
            }
        });
        app.servlet("/a", (request, response) -> {
            AsyncContext context = request.startAsync();
            context.addListener(new RecordingListener() {
                @Override
                public void onComplete(AsyncEvent event) {
                    AsyncTest.<RuntimeException>throwUndeclared(new TimeoutException("of an async listener"));
                }
            });
            context.addListener(new RecordingListener());
            context.complete();
        });
        app.start();
        FakeExchange exchange = FakeExchange.of("GET /app/a");
        app.serve(exchange);
        assertEquals(List.of("complete", "destroyed"), heard);
        assertTrue(exchange.response().isEnded());
        assertNull(exchange.response().aborted());
        assertEquals(0, app.context().inFlight().count());
    }

    /**
     * An exception whose method {@code getCause()} dispatches the request. The container calls this method while it handles the exception.
     * This simulates a dispatch by another thread at that time.
     */
    private final class DispatchingException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable getCause() {
            if (heard.isEmpty()) {
                heard.add("dispatch");
                try {
                    async.get().dispatch("/b");
                } catch (IllegalStateException e) {
                    heard.add("too late");
                }
            }
            return null;
        }
    }

    @Test
    void theResponseIsNotAbortedByADispatchDuringTheHandlingOfATaskFailure() {
        app.servlet("/b", (request, response) -> request.startAsync());
        FakeExchange exchange = serveAsync((request, response) -> {});
        async.get().start(() -> {
            throw new DispatchingException();
        });
        exchange.runJobs();
        assertTrue(exchange.response().isEnded() || exchange.response().aborted() == null);
        if (!exchange.response().isEnded()) {
            async.get().complete();
            exchange.runJobs();
        }
        assertNull(exchange.response().aborted());
        assertTrue(exchange.response().isEnded());
    }

    @Test
    void theResponseIsSentAlthoughListenersThrowErrors() {
        app.listener(new jakarta.servlet.ServletRequestListener() {
            @Override
            public void requestDestroyed(jakarta.servlet.ServletRequestEvent event) {
                throw new NoClassDefFoundError("request listener");
            }
        });
        FakeExchange exchange = serveAsync((request, response) -> {
            request.getAsyncContext().addListener(new RecordingListener() {
                @Override
                public void onComplete(AsyncEvent event) {
                    throw new NoClassDefFoundError("async listener");
                }
            });
            response.getOutputStream().print("answer");
        });
        async.get().complete();
        exchange.runJobs();
        assertEquals("answer", exchange.response().text());
        assertNull(exchange.response().aborted());
    }

    @Test
    void requestDestroyedIsCalledAtTheEndOfTheAsynchronousRequest() {
        app.listener(new jakarta.servlet.ServletRequestListener() {
            @Override
            public void requestInitialized(jakarta.servlet.ServletRequestEvent event) {
                heard.add("in " + ((HttpServletRequest) event.getServletRequest()).getServletPath());
            }

            @Override
            public void requestDestroyed(jakarta.servlet.ServletRequestEvent event) {
                heard.add("out");
            }
        });
        FakeExchange exchange = serveAsync((request, response) -> {});
        assertEquals(List.of("in /a"), heard);
        async.get().complete();
        exchange.runJobs();
        assertEquals(List.of("in /a", "complete", "out"), heard);
    }
}
