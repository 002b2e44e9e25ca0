package io.penstock.dispatch;

import io.penstock.exchange.ReadySignal;
import io.penstock.exchange.RequestBody;
import io.penstock.http.Fields;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A request body for tests. It has no bytes, and fails when the client disconnects. */
final class RaceBody implements RequestBody {
    private final ReadySignal gone = new ReadySignal();

    /** Lets the client disconnect, and notifies the reader. */
    void disconnect() {
        gone.becomeReady();
    }

    @Override
    public void whenReady(Runnable action) {
        gone.whenReady(action);
    }

    @Override
    public long length() {
        return 10;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        throw new IOException("the client is gone");
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        throw new IOException("the client is gone");
    }

    @Override
    public int available() {
        return 0;
    }

    @Override
    public boolean isFinished() {
        return false;
    }

    @Override
    public boolean isReady() {
        return gone.isReady();
    }

    @Override
    public Fields trailers() {
        return Fields.EMPTY;
    }
}
