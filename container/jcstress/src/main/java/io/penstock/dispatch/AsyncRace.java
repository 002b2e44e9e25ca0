package io.penstock.dispatch;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** One asynchronous request that several threads try to end. This class is also the listener of the request, and counts its events. */
abstract class AsyncRace implements AsyncListener, ReadListener {
    static final String ATTRIBUTE = AsyncRace.class.getName();

    /** The race whose first dispatch runs on the current thread. */
    private static final ThreadLocal<AsyncRace> STARTING = new ThreadLocal<>();

    final AtomicInteger timeouts = new AtomicInteger();
    final AtomicInteger errors = new AtomicInteger();
    final AtomicInteger again = new AtomicInteger();
    private final AtomicInteger completions = new AtomicInteger();
    private final RaceExchange exchange = RaceSite.exchange();
    private volatile AsyncContext context;
    private volatile ServletInputStream body;

    static AsyncRace starting() {
        return STARTING.get();
    }

    /** Runs the first dispatch of the request. */
    final void begin() {
        STARTING.set(this);
        try {
            RaceSite.serve(exchange);
        } finally {
            STARTING.remove();
        }
    }

    final void start(HttpServletRequest request) throws IOException {
        AsyncContext started = request.startAsync();
        started.setTimeout(1000);
        started.addListener(this);
        request.setAttribute(ATTRIBUTE, this);
        body = request.getInputStream();
        body.setReadListener(this);
        context = started;
    }

    // ---- the threads

    /** Returns whether the call was accepted. */
    final boolean complete() {
        try {
            context().complete();
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** Returns whether the call was accepted. */
    final boolean dispatch() {
        try {
            context().dispatch("/again");
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private AsyncContext context() {
        while (context == null) {
            // Another thread runs the first dispatch, which sets the context.
            Thread.onSpinWait();
        }
        return context;
    }

    final void timeIsOver() {
        exchange.timeIsOver();
    }

    final void disconnect() {
        exchange.body().disconnect();
    }

    // ---- events

    final void dispatchedAgain() {
        again.incrementAndGet();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        completions.incrementAndGet();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        timeouts.incrementAndGet();
    }

    @Override
    public void onError(AsyncEvent event) {
        errors.incrementAndGet();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        throw new IllegalStateException("started once only");
    }

    @Override
    public void onDataAvailable() throws IOException {
        if (body.read() >= 0) {
            throw new IllegalStateException("bytes from nowhere");
        }
    }

    @Override
    public void onAllDataRead() {
        throw new IllegalStateException("the body never comes to its end");
    }

    @Override
    public void onError(Throwable cause) {
        // The error is counted in onError(AsyncEvent). That method is not called if another thread has already ended
        // the request.
    }

    /** Returns how often the listeners were notified of the end, and the state of the response. */
    final String end() {
        return "told " + completions + ", " + exchange.response().outcome();
    }
}
