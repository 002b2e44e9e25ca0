package io.penstock.request;

import io.penstock.exchange.RequestBody;
import io.penstock.http.Fields;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;

/** An empty body whose end comes when the proof says so. */
final class LateBody implements RequestBody {
    private final AtomicReference<Runnable> waiting = new AtomicReference<>();
    private volatile boolean finished;

    LateBody arrived() {
        arrive();
        return this;
    }

    void arrive() {
        finished = true;
        wake();
    }

    private void wake() {
        Runnable action = waiting.getAndSet(null);
        if (action != null) {
            action.run();
        }
    }

    @Override
    public void whenReady(Runnable action) {
        waiting.set(action);
        if (finished) {
            wake();
        }
    }

    @Override
    public long length() {
        return -1;
    }

    @Override
    public int read(ByteBuffer target) {
        return -1;
    }

    @Override
    public int available() {
        return 0;
    }

    @Override
    public boolean isFinished() {
        return finished;
    }

    @Override
    public boolean isReady() {
        return finished;
    }

    @Override
    public Fields trailers() {
        return Fields.EMPTY;
    }
}
