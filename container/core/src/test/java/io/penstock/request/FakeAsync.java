package io.penstock.request;

import io.penstock.exchange.Exchange;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

/**
 * Implements {@link AsyncSupport} for tests. A test calls {@link #start()} to begin the asynchronous mode. Callbacks are passed to
 * {@link Exchange#resume}.
 */
final class FakeAsync implements AsyncSupport {
    private final Exchange exchange;
    private boolean started;

    FakeAsync(Exchange exchange) {
        this.exchange = exchange;
    }

    void start() {
        started = true;
    }

    @Override
    public AsyncContext start(ServletRequest request, ServletResponse response, Given given) {
        throw new IllegalStateException("FakeAsync does not support this method");
    }

    @Override
    public AsyncContext current() {
        throw new IllegalStateException("FakeAsync does not support this method");
    }

    @Override
    public boolean isStarted() {
        return started;
    }

    @Override
    public boolean isSupported() {
        return true;
    }

    @Override
    public void callback(Callback callback, ErrorCallback onError) {
        exchange.resume(() -> {
            try {
                callback.run();
            } catch (Exception e) {
                onError.failed(e);
            }
        });
    }

    @Override
    public void resume(Runnable job) {
        exchange.resume(job);
    }
}
