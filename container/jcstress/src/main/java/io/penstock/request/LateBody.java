package io.penstock.request;

import io.penstock.exchange.ReadySignal;
import io.penstock.exchange.RequestBody;
import io.penstock.http.Fields;
import java.nio.ByteBuffer;

/** An empty request body for tests. The test decides when its end arrives. */
final class LateBody implements RequestBody {
    private final ReadySignal finished = new ReadySignal();

    LateBody arrived() {
        arrive();
        return this;
    }

    void arrive() {
        finished.becomeReady();
    }

    @Override
    public void whenReady(Runnable action) {
        finished.whenReady(action);
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
        return finished.isReady();
    }

    @Override
    public boolean isReady() {
        return finished.isReady();
    }

    @Override
    public Fields trailers() {
        return Fields.EMPTY;
    }
}
