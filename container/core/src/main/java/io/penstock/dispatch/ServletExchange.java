package io.penstock.dispatch;

import io.penstock.context.FailedResponses;
import io.penstock.context.FilterHolder;
import io.penstock.context.InFlight;
import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import io.penstock.exchange.Exchange;
import io.penstock.exchange.ResponseSink;
import io.penstock.http.Violation;
import io.penstock.limits.Compression;
import io.penstock.limits.Key;
import io.penstock.limits.Switch;
import io.penstock.request.AsyncSupport;
import io.penstock.request.Callbacks;
import io.penstock.request.CompressingSink;
import io.penstock.request.Guard;
import io.penstock.request.HttpRequest;
import io.penstock.request.PathView;
import io.penstock.request.RequestState;
import io.penstock.request.RequestedUpgrade;
import io.penstock.request.ResponseState;
import io.penstock.request.SentError;
import io.penstock.session.SessionNotSavedException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs one exchange in its context: the dispatches, the handling of errors, the asynchronous processing, and the end. Each exchange has new
 * request and response objects. So an application that keeps such an object cannot reach another exchange.
 *
 * <p>Thread: workers. The first dispatch and the jobs of the exchange run one at a time; {@link #runTask} runs concurrently with them.
 * Application threads call {@link #asyncStarted}, {@link #enter} and {@link #sameTarget}. In this class a worker never waits for another
 * thread that writes the response. If another thread is writing, the worker enqueues a job for the remaining steps, or aborts the response.
 * An abort wakes the thread that is writing.
 *
 * <p>Owns: the end of the response. The response ends at most once, by {@link #end} or by an abort.
 */
final class ServletExchange implements AsyncState.Owner, Runnable {
    private final Exchange exchange;
    private final WebContext context;
    private final AsyncState async;
    private final ResponseState response;
    private final RequestState request;
    private final HttpRequest original;
    private final Route.ToServlet route;
    private final EnteredContexts entered;
    private final Guard guard;
    private final ServletHandler.Settings settings;
    private volatile HttpRequest current;
    // Created when first needed, since most exchanges have no asynchronous dispatch.
    private @Nullable RedispatchLimit redispatches;
    private Completion completion = Completion.NONE;

    /** How far the end of the exchange has progressed. */
    private enum Completion {
        NONE,
        /** All listeners have been called. A thread may still be writing the response. */
        LISTENERS_CALLED,
        DONE
    }

    /** A step of an exchange. It gets its exchange, so that the steps of most requests need no object. */
    @FunctionalInterface
    private interface Step {
        void run(ServletExchange exchange);
    }

    /**
     * Makes the object that serves {@code exchange}. After a form login, the object serves the earlier request instead, which was saved
     * until the user had logged in.
     *
     * @param visit keeps the context from stopping; ends when the exchange ends
     */
    static ServletExchange of(
            Exchange exchange, Route.ToServlet route, InFlight.Visit visit, ServletHandler.Settings settings) {
        ServletExchange made = new ServletExchange(exchange, route, visit, settings);
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
        return new ServletExchange(restored, route, visit, settings);
    }

    private @Nullable Exchange restored() {
        try {
            return guard.restored(original);
        } catch (UncheckedIOException e) {
            if (Failure.of(e).blame() != Failure.Blame.STORE) {
                throw e;
            }
            // The dispatch uses the session store again. If the store fails again, the dispatch sends the error.
            return null;
        }
    }

    private ServletExchange(
            Exchange exchange, Route.ToServlet route, InFlight.Visit visit, ServletHandler.Settings settings) {
        this.exchange = exchange;
        this.settings = settings;
        this.route = route;
        this.context = route.context();
        this.entered = new EnteredContexts(context, visit);
        this.async = new AsyncState(exchange, this, settings.asyncTimeout());
        Compression compression = context.compression();
        ResponseSink sink = compression == null
                ? exchange.response()
                : CompressingSink.of(exchange, compression, settings.compressors());
        this.response = new ResponseState(
                exchange,
                sink,
                async,
                settings.bufferSize(),
                context.getResponseCharacterEncoding(),
                context.encodingsByLocale(),
                settings.redirects());
        this.guard = route.guard();
        this.request = new RequestState(exchange, route.path(), response, async, settings.limits(), guard);
        this.original = new HttpRequest(request, route.view(exchange.head()));
        this.current = original;
    }

    /** Runs the first dispatch. */
    void begin() {
        inContext(ServletExchange::dispatchFirst);
    }

    private void dispatchFirst() {
        try {
            context.listeners().requestInitialized(original);
            request.joinSession(context);
            if (guard.enter(original) == Guard.Decision.ANSWERED) {
                dispatchReturned(null);
                return;
            }
        } catch (Throwable t) {
            // An exception before the first filter or servlet is handled like an exception of the dispatch.
            dispatchReturned(t);
            return;
        }
        PathView view = original.view();
        ServletHolder servlet = view.servlet();
        List<FilterHolder> filters = context.filterMappings()
                .match(DispatcherType.REQUEST, view.path(), servlet == null ? null : servlet.name());
        serve(original, original, original.response(), filters, servlet);
    }

    @Override
    public void proceed() {
        inContext(same -> {
            if (isWritten(this::proceed)) {
                follow(async.returned());
            }
        });
    }

    @Override
    public void expire(int timer) {
        if (async.beginExpiry(timer)) {
            exchange.timedOut(Key.ASYNC_TIMEOUT);
            timeOut(500, "async-timeout, or the time that the application has set");
        }
    }

    /**
     * From now on the end of the response is deferred. If the undeployment of an entered context times out, the asynchronous cycle ends.
     */
    @Override
    public void asyncStarted() {
        response.deferEnd();
        entered.onUndeployTimeout(() -> async.resume(this::undeployTimedOut));
    }

    /** Called when the undeployment of an entered context has timed out. Ends the asynchronous cycle in the same way as a time-out. */
    private void undeployTimedOut() {
        if (async.beginDisconnect()) {
            timeOut(503, "undeploy-timeout");
        }
    }

    /** @param limit the time that is over, for the log */
    private void timeOut(int status, String limit) {
        inContext(same -> {
            AsyncListeners listeners = async.listeners();
            if (listeners != null) {
                listeners.timeout();
            }
            if (!async.isDecided()) {
                ContextLog.asyncTimeout(original, status, limit);
                errorPage(status, null, null, null);
            }
            follow(async.returned());
        });
    }

    @Override
    public void enter(WebContext other) throws ServletException {
        entered.enter(other);
    }

    /**
     * Called when the client has disconnected. The jobs that are already enqueued call the listeners of the streams, and can end the cycle.
     * The job that is added here runs after those jobs. It ends the cycle only if the cycle is still waiting. So each listener is called
     * once.
     */
    @Override
    public void clientGone() {
        async.resume(this::endWaitingCycle);
    }

    private void endWaitingCycle() {
        if (async.beginDisconnect()) {
            redispatches().notified();
            inContext(ServletExchange::endGone);
        }
    }

    /** Notifies the async listeners of the client's disconnect. A listener may call {@code complete} or {@code dispatch}. */
    private void endGone() {
        IOException gone = clientIsGone();
        callErrorListeners(gone);
        if (!async.isDecided() && !response.isEnded()) {
            response.abort(gone);
        }
        follow(async.returned());
    }

    private static IOException clientIsGone() {
        return new IOException("The client is gone");
    }

    /** Runs the task. If the task throws, a job of the exchange handles the exception. */
    @Override
    public void runTask(Runnable task) {
        inContext(same -> {
            try {
                task.run();
            } catch (Throwable t) {
                async.resume(() -> inContext(failed -> failOutside(t)));
            }
        });
    }

    @Override
    public void runCallback(Callbacks.Callback callback, Callbacks.ErrorCallback onError) {
        inContext(same -> {
            try {
                callback.run();
            } catch (Throwable t) {
                exchange.threw(t);
                callOnError(onError, t);
                if (async.isWaiting()) {
                    failOutside(t);
                } else {
                    redispatches().failed();
                }
            }
        });
    }

    @Override
    public Target sameTarget(AsyncState.Cycle cycle) {
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

    /**
     * The query string of the former asynchronous dispatch; null if there is none. The new dispatch replaces the former dispatch, and gets
     * the same query string.
     */
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
        async.unsupported(null);
        Throwable thrown = null;
        try {
            new Chain(filters, servlet, inner.response(), async).run(inner, context, given, answer);
        } catch (Throwable t) {
            thrown = t;
        }
        dispatchReturned(thrown);
    }

    /** Called when a dispatch has returned. {@code thrown} is the exception of the dispatch, or null. */
    private void dispatchReturned(@Nullable Throwable thrown) {
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
                // A later job continues.
            }
            case DISPATCH -> dispatchAgain();
            case COMPLETE -> finish();
        }
    }

    private void dispatchAgain() {
        AsyncListeners listeners = async.listeners();
        switch (redispatches().next(listeners == null ? 0 : listeners.errors())) {
            case DISPATCH -> dispatchToTarget();
            case NOTIFY_GONE -> {
                if (async.beginNotification()) {
                    endGone();
                }
            }
            case END_GONE -> {
                if (!response.isEnded()) {
                    response.abort(clientIsGone());
                }
                follow(async.returned());
            }
            case END_FAILED -> {
                ContextLog.failedRepeatedly(original);
                answerByDefault(Failure.repeated(), new IOException("The request has failed repeatedly"));
                follow(async.returned());
            }
        }
    }

    private RedispatchLimit redispatches() {
        if (redispatches == null) {
            redispatches = new RedispatchLimit(exchange);
        }
        return redispatches;
    }

    private void dispatchToTarget() {
        Target target = async.target();
        try {
            entered.enter(target.context());
        } catch (UnavailableException e) {
            dispatchReturned(e);
            return;
        }
        response.admitWriters();
        AsyncState.Cycle cycle = async.cycle();
        // The new request does not wrap the request of the former dispatch: otherwise repeated dispatches would keep
        // all former requests in memory.
        HttpRequest parent = cycle.given() == AsyncSupport.Given.BY_APPLICATION
                ? cycle.source().beneathAsync()
                : original;
        Map<String, Object> attributes = DispatchAttributes.ASYNC.of(original);
        PathView view = target.view(DispatcherType.ASYNC, parent, original.getMethod(), attributes);
        HttpRequest inner = new HttpRequest(parent, view);
        Wrapping wrapping = new Wrapping(cycle.request(), cycle.response(), inner);
        serve(inner, wrapping.request(), wrapping.response(), target.filters(DispatcherType.ASYNC), target.servlet());
    }

    /** Called when a task or a callback of the application has thrown outside of any dispatch. */
    private void failOutside(Throwable thrown) {
        // After complete() or dispatch() no notification is possible, since the job of that call is already enqueued.
        if (!async.beginNotification()) {
            redispatches().failed();
            ContextLog.applicationError(original, thrown);
            return;
        }
        Failure failure = blamed(thrown);
        callErrorListeners(thrown);
        if (!async.isDecided()) {
            answer(failure, thrown);
        }
        follow(async.returned());
    }

    /**
     * Handles an exception of a dispatch. The async listeners are called first. If no listener has called {@code complete} or {@code
     * dispatch}, an error page is sent (Servlet 2.3.3.3).
     */
    private void fail(Throwable thrown) {
        Failure failure = blamed(thrown);
        if (async.beginNotification()) {
            callErrorListeners(thrown);
            if (async.isDecided()) {
                return;
            }
        }
        answer(failure, thrown);
    }

    private Failure blamed(Throwable thrown) {
        exchange.threw(thrown);
        redispatches().failed();
        Failure failure = Failure.of(thrown);
        if (failure.blame() == Failure.Blame.APPLICATION && !response.hasFailed()) {
            ContextLog.applicationError(original, thrown);
        }
        return failure.status() == 500 && exchange.isOverdue() ? Failure.overdue() : failure;
    }

    private void callErrorListeners(Throwable thrown) {
        AsyncListeners listeners = async.listeners();
        if (listeners != null) {
            listeners.error(thrown);
        }
    }

    private void answer(Failure failure, Throwable thrown) {
        if (response.isOnTheWire()) {
            if (!response.isEnded() && !response.isComplete()) { // a complete body lacks only its end
                response.abort(thrown);
            }
            return;
        }
        if (failure.retryAfter() != null) {
            response.retryAfter(failure.retryAfter());
        }
        if (failure.blame() == Failure.Blame.STORE) {
            request.abandonSessions(thrown);
        }
        errorPage(failure.status(), failure.message(), failure.shown(), thrown);
    }

    private void sentErrorPage() {
        SentError sent = response.takeError();
        if (sent != null) {
            errorPage(sent.status(), sent.message(), null, null);
        }
    }

    /** Answers with an error page. If another thread is writing the response, the response is aborted instead. */
    private void errorPage(
            int status, @Nullable String message, @Nullable Throwable cause, @Nullable Throwable thrown) {
        redispatches().errorPage();
        if (!response.takeOver()) {
            abortAt(status);
            return;
        }
        try {
            if (response.isOnTheWire()) {
                abortAt(status);
            } else {
                errorDispatch().answer(status, message, cause, thrown);
            }
        } catch (IOException e) {
            ContextLog.clientGone(original, e);
        } finally {
            response.giveBack();
        }
    }

    private ErrorDispatch errorDispatch() {
        return new ErrorDispatch(original, async, page -> current = page);
    }

    private void abortAt(int status) {
        if (!response.isEnded()) {
            response.abort(new IOException("The response failed with status " + status));
        }
    }

    /** Continues the end of the exchange after another thread has written the response. Thread: a job of the exchange. */
    @Override
    public void run() {
        inContext(completion == Completion.NONE ? ServletExchange::finish : ServletExchange::end);
    }

    /** Ends the exchange: calls the listeners, saves sessions, ends the response. */
    private void finish() {
        if (completion != Completion.NONE || !isWritten(this)) {
            return;
        }
        completion = Completion.LISTENERS_CALLED;
        sentErrorPage();
        allowNoTrace();
        AsyncListeners listeners = async.listeners();
        if (listeners != null) {
            listeners.complete();
        }
        context.listeners().requestDestroyed(original);
        try {
            request.leaveSessions();
        } catch (SessionNotSavedException e) {
            exchange.threw(e);
            // The application's own error page must not be called, since the listeners for the end of the request have
            // been called.
            answerByDefault(Failure.storeFailed(), e);
        }
        end();
    }

    /** The {@code doOptions} of the Servlet API names TRACE in {@code Allow}, also if the server refuses this method. */
    private void allowNoTrace() {
        if (settings.traceMethod() == Switch.ON || !exchange.head().method().equals("OPTIONS")) {
            return;
        }
        String allow = original.response().getHeader("Allow");
        if (allow != null) {
            List<String> methods = new ArrayList<>(List.of(allow.split("[ \t]*,[ \t]*")));
            if (methods.remove("TRACE")) {
                original.response().setHeader("Allow", String.join(", ", methods));
            }
        }
    }

    /**
     * Answers with the default error page, without calling the application. If the head of the response has been sent, or another thread
     * is writing, the response is aborted with {@code cause} instead.
     */
    private void answerByDefault(Failure failure, Throwable cause) {
        if (response.isOnTheWire() || !response.takeOver()) {
            if (!response.isEnded()) {
                response.abort(cause);
            }
            return;
        }
        try {
            if (failure.blame() == Failure.Blame.STORE) {
                request.abandonSessions(cause);
            }
            errorDispatch().answer(failure);
        } catch (IOException e) {
            ContextLog.clientGone(original, e);
        } finally {
            response.giveBack();
        }
    }

    /**
     * Ends the response. If another thread is writing, this method does not wait for the write. A job ends the response after the write.
     */
    private void end() {
        if (completion != Completion.LISTENERS_CALLED) {
            return;
        }
        try {
            if (!response.complete(this)) {
                return;
            }
        } catch (IOException e) {
            ContextLog.clientGone(original, e);
        } catch (RuntimeException e) {
            ContextLog.applicationError(original, e);
            response.abort(e);
        }
        completion = Completion.DONE;
        int status = response.status();
        route.answering().mappings().answered(route.pathInContext(), status);
        if (status >= FailedResponses.FIRST) {
            context.failures().count(status);
        }
        RequestedUpgrade.Handler next = request.takeUpgrade();
        UpgradedExchange upgraded = next == null ? null : new UpgradedExchange(exchange, next, request.takeMemory());
        request.end();
        if (upgraded != null) {
            upgrade(upgraded);
        }
        entered.leave();
    }

    /**
     * Hands the connection over to the upgrade handler. The hand-over fails if the response was not 101, or if the connection has failed.
     */
    private void upgrade(UpgradedExchange upgraded) {
        try {
            exchange.upgrade(upgraded);
        } catch (IllegalStateException e) {
            ContextLog.notUpgraded(original, e);
            upgraded.release();
        }
    }

    private boolean isWritten(Runnable then) {
        try {
            return response.isWritten(then);
        } catch (IOException e) {
            ContextLog.clientGone(original, e);
            return true;
        }
    }

    private void callOnError(Callbacks.ErrorCallback onError, Throwable cause) {
        try {
            onError.failed(cause);
        } catch (Throwable e) {
            exchange.threw(e);
            ContextLog.applicationError(original, e);
        }
    }

    private void leave() {
        try {
            RequestedUpgrade.Handler next = request.takeUpgrade();
            if (next != null) {
                new UpgradedExchange(exchange, next, request.takeMemory()).release();
            }
            request.end();
        } finally {
            entered.leave();
        }
    }

    /**
     * Runs {@code code} with the class loader of the application. If {@code code} throws, the response is aborted and the exchange ends.
     */
    private void inContext(Step code) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(context.getClassLoader());
        try {
            code.run(this);
        } catch (Throwable e) {
            try {
                response.abort(e);
            } finally {
                leave();
            }
            exchange.threw(e);
            ContextLog.containerError(original, e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
