package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.Admission;
import io.penstock.exchange.FakeExchange;
import jakarta.servlet.AsyncContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests requests to a context that is removed or replaced by a new version before the requests have ended. */
final class ReplacedContextTest {

    private static App appWithResponse(String text) {
        App app = new App();
        app.servlet("/x", (request, response) -> response.getOutputStream().print(text));
        return app.start();
    }

    private static FakeExchange admitted(App app) throws Exception {
        FakeExchange exchange = FakeExchange.of("GET /app/x");
        exchange.routeTo(((Admission.Admitted) app.admission().admit(exchange.head())).route());
        return exchange;
    }

    @Test
    void aRequestAdmittedBeforeTheReplacementIsServedByTheNextVersion() throws Exception {
        try (App former = appWithResponse("former");
                App next = appWithResponse("next")) {
            FakeExchange exchange = admitted(former);
            former.table().put(next.context());
            assertTrue(former.context().inFlight().close().toCompletableFuture().isDone());
            former.handler().handle(exchange);
            exchange.runJobs();
            assertEquals("next", exchange.response().text());
            assertEquals(0, next.context().inFlight().count());
        }
    }

    @Test
    void theStatusIs404IfTheContextOfAnAdmittedRequestIsRemoved() throws Exception {
        try (App app = appWithResponse("x")) {
            FakeExchange exchange = admitted(app);
            app.table().remove(app.context());
            app.context().inFlight().close();
            app.handler().handle(exchange);
            exchange.runJobs();
            assertEquals(404, exchange.response().status());
        }
    }

    @Test
    void theCloseOfAContextWaitsForTheEndOfItsLastRequest() {
        try (App app = new App()) {
            AtomicReference<AsyncContext> waiting = new AtomicReference<>();
            app.servlet("/wait", (request, response) -> waiting.set(request.startAsync()));
            app.start();
            FakeExchange exchange = FakeExchange.of("GET /app/wait");
            app.serve(exchange);
            CompletableFuture<Void> closed = app.context().inFlight().close().toCompletableFuture();
            assertFalse(closed.isDone());
            Objects.requireNonNull(waiting.get()).complete();
            exchange.runJobs();
            assertTrue(closed.isDone());
        }
    }

    @Test
    void anAsynchronousRequestIsEndedWithStatus503AtTheUndeployTimeout() {
        List<String> notified = new ArrayList<>();
        try (App app = new App()) {
            app.servlet("/wait", (request, response) -> {
                AsyncContext waiting = request.startAsync();
                waiting.setTimeout(0);
                waiting.addListener(new RecordingAsyncListener(notified));
            });
            app.start();
            FakeExchange exchange = FakeExchange.of("GET /app/wait");
            app.serve(exchange);
            CompletableFuture<Void> closed = app.context().inFlight().close().toCompletableFuture();
            app.context().inFlight().runTimeoutActions();
            exchange.runJobs();
            assertEquals(List.of("timeout", "complete"), notified);
            assertEquals(503, exchange.response().status());
            assertTrue(closed.isDone());
        }
    }

    @Test
    void theCloseOfAContextWaitsForRequestsDispatchedFromOtherContexts() {
        try (App target = new App("/target", settings -> {});
                App source = new App("/source", settings -> {})) {
            target.servlet("/x", (request, response) -> request.startAsync());
            target.start();
            source.servlet("/go", (request, response) -> new Dispatchers()
                    .forPath(target.context(), "/x")
                    .forward(request, response));
            source.start();
            FakeExchange exchange = FakeExchange.of("GET /source/go");
            source.serve(exchange);
            CompletableFuture<Void> closed = target.context().inFlight().close().toCompletableFuture();
            assertFalse(closed.isDone());
            target.context().inFlight().runTimeoutActions();
            exchange.runJobs();
            assertTrue(closed.isDone());
            assertEquals(0, source.context().inFlight().count());

            FakeExchange late = FakeExchange.of("GET /source/go");
            assertEquals(404, source.serve(late).status());
        }
    }
}
