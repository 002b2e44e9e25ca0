package io.penstock.exchange;

import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A request body whose arrival the test controls. The test fails if a read would have to wait. */
public final class FakeBody implements RequestBody {
    private final FieldList trailers = new FieldList();
    private byte[] bytes = new byte[0];
    private long length = -1;
    private boolean ended;
    private IOException failure;
    private Runnable waiting;
    private Runnable afterNextCheck;

    /**
     * Sets an action for the next call of {@link #isFinished} or {@link #isReady}. The action runs after the result is determined, and
     * before the call returns.
     */
    public void afterNextCheck(Runnable action) {
        afterNextCheck = action;
    }

    private boolean runAfterCheck(boolean result) {
        Runnable action = afterNextCheck;
        afterNextCheck = null;
        if (action != null) {
            action.run();
        }
        return result;
    }

    public void declare(long declared) {
        length = declared;
    }

    public void arrive(byte[] more) {
        int old = bytes.length;
        bytes = Arrays.copyOf(bytes, old + more.length);
        System.arraycopy(more, 0, bytes, old, more.length);
        wake();
    }

    public void end() {
        ended = true;
        wake();
    }

    public void trailer(String name, String value) {
        trailers.add(name, value);
    }

    public void fail(IOException cause) {
        failure = cause;
        wake();
    }

    private void wake() {
        Runnable action = waiting;
        waiting = null;
        if (action != null) {
            action.run();
        }
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (!target.hasRemaining()) {
            return 0;
        }
        if (bytes.length > 0) {
            int n = Math.min(target.remaining(), bytes.length);
            target.put(bytes, 0, n);
            bytes = Arrays.copyOfRange(bytes, n, bytes.length);
            return n;
        }
        if (failure != null) {
            throw failure;
        }
        if (ended) {
            return -1;
        }
        throw new AssertionError("the read would wait for the client");
    }

    @Override
    public int available() {
        return bytes.length;
    }

    @Override
    public boolean isFinished() {
        return runAfterCheck(ended && bytes.length == 0);
    }

    @Override
    public boolean isReady() {
        return runAfterCheck(ended || bytes.length > 0 || failure != null);
    }

    @Override
    public void whenReady(Runnable action) {
        if (isReady()) {
            action.run();
        } else {
            waiting = action;
        }
    }

    @Override
    public Fields trailers() {
        return isFinished() ? trailers : Fields.EMPTY;
    }
}
