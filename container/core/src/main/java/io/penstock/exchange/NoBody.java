package io.penstock.exchange;

import io.penstock.http.Fields;
import java.nio.ByteBuffer;

/** The empty body of a request without a body. */
public final class NoBody implements RequestBody {
    public static final NoBody INSTANCE = new NoBody();

    private NoBody() {}

    @Override
    public long length() {
        return 0;
    }

    @Override
    public int read(ByteBuffer target) {
        return target.hasRemaining() ? -1 : 0;
    }

    @Override
    public int available() {
        return 0;
    }

    @Override
    public boolean isFinished() {
        return true;
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void whenReady(Runnable action) {
        action.run();
    }

    @Override
    public Fields trailers() {
        return Fields.EMPTY;
    }
}
