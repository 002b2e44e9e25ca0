package io.penstock.dispatch;

import io.penstock.context.FilterHolder;
import io.penstock.context.InFlight;
import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import io.penstock.exchange.Exchange;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.limits.Redirects;
import io.penstock.request.AsyncSupport;
import io.penstock.request.Bounds;
import io.penstock.request.Callbacks;
import io.penstock.request.Guard;
import io.penstock.request.HttpRequest;
import io.penstock.request.PathView;
import io.penstock.request.RequestState;
import io.penstock.request.RequestedUpgrade;
import io.penstock.request.ResponseState;
import io.penstock.request.SentError;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The life of one exchange in its context: dispatch, errors, asynchronous continuations, end. Its façades are new, so that
 * nothing that an application keeps can reach another exchange.
 *
 * <p>Thread: a worker: the first dispatch and the jobs of the exchange, never two at once. It never waits for another thread that is
 * writing the response: it goes on as a job when that write is over, or aborts the response, which wakes the writer.
 *
 * <p>Owns: the response's end. {@link #finish} is reached once on every path.
 */
final class ServletExchange {
    private final Exchange exchange;
    private final WebContext context;
    private final AsyncState async;
    private final ResponseState response;
    private final RequestState request;
    private final HttpRequest original;
    private final ErrorDispatch errors;
    private final ServerLog log;
    private final Visits visits;
    private final Guard guard;
    private final RedispatchLimit redispatches;
    private volatile HttpRequest current;
    private Stage stage = Stage.RUNNING;

    /** Whether the request is in the scope of the application. */
    private enum Stage {
        RUNNING,
        /** All listeners have been told. */
        ENDING,
        FINISHED
    }

    /**
     * The life of {@code exchange}, or of the one that was kept until the user had logged in, and is now due.
     *
     * @param visit in the context of the route; ended with the exchange
     */
    static ServletExchange of(
            Exchange exchange,
            Route.ToServlet route,
            InFlight.Visit visit,
            int bufferSize,
            Bounds bounds,
            Duration asyncTimeout,
            Redirects redirects) {
        ServletExchange made = new ServletExchange(exchange, route, visit, bufferSize, bounds, asyncTimeout, redirects);
        Exchange restored;
        try {
            restored = made.restored();
        } catch (RuntimeException | Error e) {
            made.request.end();
            visit.end();
            throw e;
        }
        if (restored == null) {
            return made;
        }
        made.request.end();
        return new ServletExchange(restored, route, visit, bufferSize, bounds, asyncTimeout, redirects);
    }

    private @Nullable Exchange restored() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(context.getClassLoader()); // a session that is found to be over has listeners
        try {
            return guard.restored(original);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private ServletExchange(
            Exchange exchange,
            Route.ToServlet route,
            InFlight.Visit visit,
            int bufferSize,
            Bounds bounds,
            Duration asyncTimeout,
            Redirects redirects) {
        this.exchange = exchange;
        this.context = route.context();
        this.visits = new Visits(context, visit);
        this.redispatches = new RedispatchLimit(exchange);
        this.async = new AsyncState(exchange, this, asyncTimeout);
        this.response = new ResponseState(
                exchange, async, bufferSize, context.getResponseCharacterEncoding(), context::encodingFor, redirects);
        this.guard = route.guard();
        this.request = new RequestState(exchange, route.path(), response, async, bounds, guard);
        PathView view = new PathView(
                DispatcherType.REQUEST,
                context,
                context.getContextPath(),
                route.path().raw(),
                route.pathInContext(),
                route.match(),
                exchange.head().target().query(),
                null,
                exchange.head().method(),
                new HashMap<>(0));
        response.whenLeaving(request::keepSessions);
        this.original = new HttpRequest(request, view);
        this.current = original;
        this.errors = new ErrorDispatch(original, async);
        this.log = new ServerLog(context);
    }

    /** The first dispatch. */
    void begin() {
        inContext(() -> {
            try {
                context.listeners().requestInitialized(original);
                request.joinSession(context);
                if (guard.enter(original) == Guard.Passage.ANSWERED) {
                    settle(null);
                    return;
                }
            } catch (Throwable t) { // whatever it is: the request has not been let in
                settle(t);
                return;
            }
            ServletHolder servlet = original.view().servlet();
            List<FilterHolder> filters = context.filterMappings()
                    .match(DispatcherType.REQUEST, original.view().path(), servlet == null ? null : servlet.name());
            serve(original, original, original.response(), filters, servlet);
        });
    }

    /** What was decided from outside, or after a return: completion or dispatch. */
    void proceed() {
        inContext(() -> {
            if (isDrained(this::proceed)) {
                follow(async.returned());
            }
        });
    }

    /** The time of the cycle is over. */
    void expire(int cycle) {
        if (async.beginExpiry(cycle)) {
            exchange.timedOut(Key.ASYNC_TIMEOUT);
            tellTimeOver(500);
        }
    }

    /** The exchange may be in its context, or in another one, although no thread runs in it. */
    void stays() {
        visits.stay(() -> async.resume(this::giveUp));
    }

    /** An application that ends cannot wait any longer: as if the cycle's time were over. */
    private void giveUp() {
        if (async.beginGone()) {
            tellTimeOver(503);
        }
    }

    private void tellTimeOver(int status) {
        inContext(() -> {
            AsyncContext told = async.context();
            if (told != null) {
                async.listeners().timeout(told);
            }
            if (!async.isDecided()) {
                errorPage(status, null, null);
            }
            follow(async.returned());
        });
    }

    /** A dispatch leads into a context, which must not end before this exchange. */
    void enter(WebContext other) throws ServletException {
        visits.enter(other);
    }

    /**
     * The client is gone. The listeners of the streams hear of it by jobs of their own, which may end the cycle; what waits after those is
     * told here, so that each listener is told once.
     */
    void clientGone() {
        async.resume(this::tellGone);
    }

    private void tellGone() {
        if (async.beginGone()) {
            redispatches.told();
            inContext(this::endGone);
        }
    }

    /** The client is gone: listeners hear of it, and may decide what comes next. */
    private void endGone() {
        IOException gone = clientIsGone();
        tellListeners(gone);
        if (!async.isDecided() && !response.isEnded()) {
            response.abort(gone);
        }
        follow(async.returned());
    }

    private static IOException clientIsGone() {
        return new IOException("The client is gone");
    }

    /** A task of {@code AsyncContext.start}, beside the jobs of the exchange; what it throws is a job again. */
    void runTask(Runnable task) {
        inContext(() -> {
            try {
                task.run();
            } catch (Throwable t) {
                async.resume(() -> inContext(() -> failOutside(t)));
            }
        });
    }

    /** A method of a ReadListener or WriteListener. */
    void runCallback(Callbacks.Callback callback, Callbacks.ErrorCallback onError) {
        inContext(() -> {
            try {
                callback.run();
            } catch (Throwable t) {
                exchange.threw(t);
                tellError(onError, t);
                if (async.isWaiting()) {
                    failOutside(t);
                }
            }
        });
    }

    /** The path that {@code dispatch()} leads to (Servlet 9.7). */
    Target sameTarget(AsyncState.Cycle cycle) {
        PathView last = current.view();
        if (cycle.given() == AsyncSupport.Given.BY_APPLICATION
                && cycle.request() instanceof HttpServletRequest given
                && given.getRequestURI().startsWith(given.getContextPath())) {
            PathView view = cycle.source().view();
            try {
                return Target.of(
                                view.context(),
                                given.getRequestURI()
                                        .substring(given.getContextPath().length()))
                        .withQuery(replacedQuery(cycle.source()));
            } catch (Violation e) {
                throw new IllegalStateException("Not a path: " + given.getRequestURI(), e);
            }
        }
        return new Target(last.context(), last.requestUri(), last.path(), last.match(), last.ownQuery());
    }

    /** The query of a dispatch that is about to be replaced by one to the same path. */
    private static @Nullable String replacedQuery(HttpRequest source) {
        return source.beneathAsync() == source ? null : source.view().ownQuery();
    }

    private void serve(
            HttpRequest inner,
            ServletRequest given,
            ServletResponse answer,
            List<FilterHolder> filters,
            @Nullable ServletHolder servlet) {
        current = inner;
        async.support(AsyncState.Support.SUPPORTED);
        Throwable thrown = null;
        try {
            Chain chain = new Chain(filters, servlet, inner.response(), async);
            Passage.into(inner, context, () -> chain.doFilter(given, answer));
        } catch (Throwable t) {
            thrown = t;
        }
        settle(thrown);
    }

    /** A dispatch has returned, with or without what it threw. */
    private void settle(@Nullable Throwable thrown) {
        if (thrown != null) {
            fail(thrown);
        } else if (!async.isStarted()) {
            sentErrorPage();
        }
        follow(async.returned());
    }

    private void follow(AsyncState.Next next) {
        switch (next) {
            case WAIT -> {
                // a job will go on
            }
            case DISPATCH -> dispatchAgain();
            case COMPLETE -> finish();
        }
    }

    private void dispatchAgain() {
        switch (redispatches.next()) {
            case DISPATCH -> dispatchToTarget();
            case TELL_GONE -> {
                if (async.beginNotification()) {
                    endGone();
                }
            }
            case END -> {
                if (!response.isEnded()) {
                    response.abort(clientIsGone());
                }
                follow(async.returned());
            }
        }
    }

    private void dispatchToTarget() {
        Target target = async.target();
        try {
            visits.enter(target.context());
        } catch (UnavailableException e) {
            settle(e);
            return;
        }
        response.admitWriters();
        AsyncState.Cycle cycle = async.cycle();
        // Never over the former dispatch: what dispatches again and again would hold all of them.
        HttpRequest parent = cycle.given() == AsyncSupport.Given.BY_APPLICATION
                ? cycle.source().beneathAsync()
                : original;
        Map<String, Object> attributes = DispatchAttributes.ASYNC.of(original);
        PathView view = target.view(DispatcherType.ASYNC, parent, original.getMethod(), attributes);
        HttpRequest inner = new HttpRequest(parent, view);
        Wrapping wrapping = new Wrapping(cycle.request(), cycle.response(), inner);
        serve(inner, wrapping.request(), wrapping.response(), target.filters(DispatcherType.ASYNC), target.servlet());
    }

    /** A task or callback of the application threw, outside every dispatch. */
    private void failOutside(Throwable thrown) {
        if (!async.beginNotification()) { // complete() or dispatch() came first, if only just: their job is enqueued
            log.applicationError(original, thrown);
            return;
        }
        Failure failure = blamed(thrown);
        tellListeners(thrown);
        if (!async.isDecided()) {
            answer(failure, thrown);
        }
        follow(async.returned());
    }

    /** Listeners first, then an error page, unless a listener has decided what comes next (Servlet 2.3.3.3). */
    private void fail(Throwable thrown) {
        Failure failure = blamed(thrown);
        if (async.beginNotification()) {
            tellListeners(thrown);
            if (async.isDecided()) {
                return;
            }
        }
        answer(failure, thrown);
    }

    private Failure blamed(Throwable thrown) {
        exchange.threw(thrown);
        Failure failure = Failure.of(thrown);
        if (failure.blame() == Failure.Blame.APPLICATION && !response.hasFailed()) {
            log.applicationError(original, thrown);
        }
        return failure.status() == 500 && exchange.isOverdue() ? Failure.overdue() : failure;
    }

    private void tellListeners(Throwable thrown) {
        AsyncContext told = async.context();
        if (told != null) {
            async.listeners().error(told, thrown);
        }
    }

    private void answer(Failure failure, Throwable thrown) {
        if (response.isOnTheWire()) {
            if (!response.isEnded()) {
                response.abort(thrown);
            }
            return;
        }
        if (failure.retryAfter() != null) {
            response.retryAfter(failure.retryAfter());
        }
        errorPage(failure.status(), failure.message(), failure.shown());
    }

    private void sentErrorPage() {
        SentError sent = response.takeError();
        if (sent != null) {
            errorPage(sent.status(), sent.message(), null);
        }
    }

    /** A response that another thread is writing just now is as good as on the wire. */
    private void errorPage(int status, @Nullable String message, @Nullable Throwable cause) {
        if (!response.takeOver()) {
            abortAt(status);
            return;
        }
        try {
            if (response.isOnTheWire()) {
                abortAt(status);
            } else {
                errors.answer(status, message, cause);
            }
        } catch (IOException e) {
            log.clientGone(original, e);
        } finally {
            response.giveBack();
        }
    }

    private void abortAt(int status) {
        if (!response.isEnded()) {
            response.abort(new IOException("The response failed with status " + status));
        }
    }

    /** The end of the exchange. */
    private void finish() {
        if (stage != Stage.RUNNING || !isDrained(() -> inContext(this::finish))) {
            return;
        }
        stage = Stage.ENDING;
        sentErrorPage();
        AsyncContext told = async.context();
        if (told != null) {
            async.listeners().complete(told);
        }
        context.listeners().requestDestroyed(original);
        request.leaveSessions();
        end();
    }

    /** A thread that began to write while listeners were told is not waited for: the end follows as a job. */
    private void end() {
        if (stage != Stage.ENDING) {
            return;
        }
        try {
            if (!response.complete(() -> inContext(this::end))) {
                return;
            }
        } catch (IOException e) {
            log.clientGone(original, e);
        } catch (RuntimeException e) {
            log.applicationError(original, e);
            response.abort(e);
        }
        stage = Stage.FINISHED;
        request.end();
        RequestedUpgrade.Handler next = request.upgrade().take();
        if (next != null) {
            upgrade(next);
        }
        visits.end();
    }

    /** Whether the client has been told that the protocol changes, or something went wrong before, the exchange knows. */
    private void upgrade(RequestedUpgrade.Handler next) {
        UpgradedExchange upgraded = new UpgradedExchange(exchange, next);
        try {
            exchange.upgrade(upgraded);
        } catch (IllegalStateException e) {
            log.notUpgraded(original, e);
            upgraded.release();
        }
    }

    private boolean isDrained(Runnable then) {
        try {
            return response.isDrained(then);
        } catch (IOException e) {
            log.clientGone(original, e);
            return true;
        }
    }

    private void tellError(Callbacks.ErrorCallback onError, Throwable cause) {
        try {
            onError.failed(cause);
        } catch (RuntimeException e) {
            log.applicationError(original, e);
        }
    }

    private void leave() {
        try {
            request.end();
        } finally {
            visits.end();
        }
    }

    /** The one place where application code begins: with its class loader, and nothing thrown goes unanswered. */
    private void inContext(Runnable code) {
        context.inLoader(() -> {
            try {
                code.run();
            } catch (RuntimeException | Error e) {
                try {
                    response.abort(e);
                } finally {
                    leave();
                }
                exchange.threw(e);
                log.containerError(original, e);
            }
        });
    }
}
