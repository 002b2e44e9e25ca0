package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.context.ErrorPages;
import io.penstock.exchange.FakeExchange;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the guarantees for asynchronous listeners, and rare states of an AsyncContext (Servlet 6.1, section 2.3.3.3). */
class AsyncListenerContractTest {
    private final App app = new App();
    private final List<String> heard = new ArrayList<>();
    private final AtomicReference<AsyncContext> async = new AtomicReference<>();

    @AfterEach
    void stop() {
        app.close();
    }

    /** A listener that records the calls of its methods together with the name of the listener. */
    public static class NamedListener implements AsyncListener {
        private final String name;
        private final List<String> heard;
        AsyncEvent last;

        NamedListener(String name, List<String> heard) {
            this.name = name;
            this.heard = heard;
        }

        @Override
        public void onComplete(AsyncEvent event) {
            hear("complete", event);
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            hear("timeout", event);
        }

        @Override
        public void onError(AsyncEvent event) {
            hear("error", event);
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            hear("start", event);
        }

        private void hear(String what, AsyncEvent event) {
            last = event;
            heard.add(name + " " + what);
        }
    }

    /** A listener with a default constructor. The container creates an instance of this class. */
    public static final class ContainerCreatedListener implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {}

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    private FakeExchange get(String target) {
        FakeExchange exchange = FakeExchange.of("GET " + target);
        app.serve(exchange);
        return exchange;
    }

    @Test
    void listenersAreNotifiedInTheOrderInWhichTheyWereAdded() {
        app.servlet("/a", (request, response) -> {
            AsyncContext context = request.startAsync();
            context.addListener(new NamedListener("one", heard));
            context.addListener(new NamedListener("two", heard));
            context.complete();
        });
        app.start();
        get("/app/a");
        assertEquals(List.of("one complete", "two complete"), heard);
    }

    @Test
    void anAsyncEventContainsTheRequestPassedToStartAsyncUnlessAddListenerGotAnotherRequest() {
        NamedListener with = new NamedListener("with", heard);
        NamedListener without = new NamedListener("without", heard);
        AtomicReference<Object> given = new AtomicReference<>();
        AtomicReference<Object> started = new AtomicReference<>();
        app.servlet("/a", (request, response) -> {
            HttpServletRequestWrapper wrapper = new HttpServletRequestWrapper(request);
            HttpServletRequestWrapper other = new HttpServletRequestWrapper(request);
            AsyncContext context = request.startAsync(wrapper, response);
            context.addListener(without);
            context.addListener(with, other, new HttpServletResponseWrapper(response));
            started.set(wrapper);
            given.set(other);
            context.complete();
        });
        app.start();
        get("/app/a");
        assertSame(given.get(), with.last.getSuppliedRequest());
        assertTrue(with.last.getSuppliedResponse() instanceof HttpServletResponseWrapper);
        assertSame(started.get(), without.last.getSuppliedRequest());
        assertNull(with.last.getThrowable());
    }

    @Test
    void createListenerThrowsServletExceptionIfTheClassHasNoDefaultConstructor() {
        app.servlet("/a", (request, response) -> {
            AsyncContext context = request.startAsync();
            context.addListener(context.createListener(ContainerCreatedListener.class));
            assertThrows(ServletException.class, () -> context.createListener(NamedListener.class));
            context.complete();
        });
        app.start();
        assertTrue(get("/app/a").response().isEnded());
    }

    @Test
    void theRequestIsCompletedAfterADispatchToAServletWithoutAsyncSupport() {
        app.servlet("/a", (request, response) -> {
            AsyncContext context = request.startAsync();
            context.addListener(new NamedListener("one", heard));
            context.dispatch("/b");
        });
        app.servlet("/b", (request, response) -> {
                    assertFalse(request.isAsyncSupported());
                    assertThrows(IllegalStateException.class, request::startAsync);
                    assertThrows(IllegalStateException.class, request::getAsyncContext);
                    response.getWriter().print("sync");
                })
                .asyncSupported(false);
        app.start();
        FakeExchange exchange = get("/app/a");
        assertEquals("sync", exchange.response().text());
        assertEquals(List.of("one complete"), heard);
    }

    @Test
    void startAsyncThrowsAfterAForwardFromAServletWithoutAsyncSupport() {
        app.servlet("/a", (request, response) -> request.getRequestDispatcher("/b")
                        .forward(request, response))
                .asyncSupported(false);
        app.servlet("/b", (request, response) -> {
            assertThrows(IllegalStateException.class, request::startAsync);
            response.getWriter().print("as it is");
        });
        app.start();
        assertEquals("as it is", get("/app/a").response().text());
    }

    @Test
    void dispatchWithoutAPathReturnsToTheForwardTargetOnlyIfTheRequestWasPassedToStartAsync() {
        app.servlet("/a", (request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                response.getWriter().print("back at a");
            } else {
                request.getRequestDispatcher("/b").forward(request, response);
            }
        });
        app.servlet("/b", (request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                response.getWriter().print("back at b");
            } else if (request.getParameter("own") == null) {
                request.startAsync().dispatch();
            } else {
                request.startAsync(request, response).dispatch();
            }
        });
        app.start();
        assertEquals("back at a", get("/app/a").response().text());
        assertEquals("back at b", get("/app/a?own=1").response().text());
    }

    @Test
    void aNegativeTimeoutDisablesTheTimeout() {
        app.servlet("/a", (request, response) -> {
            AsyncContext context = request.startAsync();
            assertEquals(30_000, context.getTimeout());
            context.setTimeout(-1);
            assertEquals(-1, context.getTimeout());
            context.addListener(new NamedListener("one", heard));
            async.set(context);
        });
        app.start();
        FakeExchange exchange = get("/app/a");
        exchange.elapse(Duration.ofDays(1));
        assertEquals(List.of(), heard);
        async.get().complete();
        exchange.runJobs();
        assertEquals(List.of("one complete"), heard);
    }

    @Test
    void theNextAsyncCycleHasTheDefaultTimeoutAndNoListeners() {
        app.servlet("/a", (request, response) -> {
            AsyncContext context = request.startAsync();
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                context.setTimeout(5);
                context.addListener(new NamedListener("first", heard));
                context.dispatch();
            } else {
                assertEquals(30_000, context.getTimeout());
                context.addListener(new NamedListener("second", heard));
                async.set(context);
            }
        });
        app.start();
        FakeExchange exchange = get("/app/a");
        exchange.elapse(Duration.ofSeconds(1));
        assertEquals(List.of("first start"), heard);
        async.get().complete();
        exchange.runJobs();
        assertEquals(List.of("first start", "second complete"), heard);
    }

    /** The adapter of gRPC completes calls that their clients have cancelled twice, up to version 1.75. */
    @Test
    void completeMayBeCalledAgainUntilTheRequestHasEnded() {
        app.servlet("/a", (request, response) -> {
            AsyncContext context = request.startAsync();
            context.addListener(new NamedListener("first", heard));
            async.set(context);
            if (request.getQueryString() != null) {
                context.complete();
                context.complete();
                heard.add("twice");
            }
        });
        app.start();
        get("/app/a?now");
        assertEquals(List.of("twice", "first complete"), heard);
        FakeExchange exchange = get("/app/a");
        async.get().complete();
        async.get().complete();
        exchange.runJobs();
        assertEquals(List.of("twice", "first complete", "first complete"), heard);
    }

    /** The adapter of gRPC completes a cancelled call while its listener hears that the client is gone. */
    @Test
    void listenersMayUseRequestAndResponseAlthoughTheCycleIsCompletedMeanwhile() {
        app.servlet("/a", (request, response) -> {
            AsyncContext context = request.startAsync();
            context.setTimeout(10);
            context.addListener(new NamedListener("first", heard) {
                @Override
                public void onTimeout(AsyncEvent event) {
                    context.complete();
                    assertSame(request, event.getAsyncContext().getRequest());
                    assertSame(response, event.getAsyncContext().getResponse());
                    assertThrows(IllegalStateException.class, context::dispatch);
                    heard.add("used");
                }
            });
            async.set(context);
        });
        app.start();
        get("/app/a").elapse(Duration.ofSeconds(1));
        assertEquals(List.of("used", "first complete"), heard);
        assertThrows(IllegalStateException.class, async.get()::getResponse);
    }

    @Test
    void allMethodsOfAnEndedAsyncContextThrowIllegalStateException() {
        app.servlet("/a", (request, response) -> {
            async.set(request.startAsync());
            async.get().complete();
        });
        app.start();
        get("/app/a");
        AsyncContext ended = async.get();
        assertThrows(IllegalStateException.class, ended::complete);
        assertThrows(IllegalStateException.class, ended::dispatch);
        assertThrows(IllegalStateException.class, ended::getRequest);
        assertThrows(IllegalStateException.class, ended::getResponse);
        assertThrows(IllegalStateException.class, () -> ended.setTimeout(1));
        assertThrows(IllegalStateException.class, () -> ended.addListener(new NamedListener("late", heard)));
        assertThrows(IllegalStateException.class, () -> ended.start(() -> {}));
    }

    @Test
    void theErrorPageForATimeoutCanDispatchTheRequest() {
        App other = new App("/app", settings -> settings.errorPages(pages("/late")));
        other.servlet("/a", (request, response) -> request.startAsync().setTimeout(10));
        other.servlet("/late", (request, response) -> request.getAsyncContext().dispatch("/b"));
        other.servlet("/b", (request, response) -> response.getWriter().print("dispatched"));
        other.start();
        FakeExchange exchange = FakeExchange.of("GET /app/a");
        other.serve(exchange);
        exchange.elapse(Duration.ofSeconds(1));
        assertEquals("dispatched", exchange.response().text());
        assertTrue(exchange.response().isEnded());
        other.close();
    }

    private static ErrorPages pages(String location) {
        return ErrorPages.builder().status(500, location).build();
    }
}
