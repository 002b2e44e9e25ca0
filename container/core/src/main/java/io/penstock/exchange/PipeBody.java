package io.penstock.exchange;

import io.penstock.http.Fields;
import io.penstock.pipe.BodyFailure;
import io.penstock.pipe.RequestPipe;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/** A request body that is read from a {@link RequestPipe}. */
public final class PipeBody implements RequestBody {
    private final RequestPipe.Outlet outlet;
    private final long length;
    private final Supplier<Fields> trailers;
    private final FirstRead firstRead;
    private volatile boolean asked;

    /** Called before the first read of a body. The client may be waiting for 100 (Continue), and this method sends it. */
    @FunctionalInterface
    public interface FirstRead {
        void beforeFirstRead() throws IOException;
    }

    /**
     * @param length the declared length in bytes; -1 if no length is declared
     * @param trailers supplies the trailer fields; called only after the end of the body
     */
    public PipeBody(RequestPipe.Outlet outlet, long length, Supplier<Fields> trailers, FirstRead firstRead) {
        this.outlet = outlet;
        this.length = length;
        this.trailers = trailers;
        this.firstRead = firstRead;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        ask();
        try {
            return outlet.read(target);
        } catch (BodyFailure e) {
            throw known(e);
        }
    }

    @Override
    public void check() throws IOException {
        try {
            outlet.check();
        } catch (BodyFailure e) {
            throw known(e);
        }
    }

    private static IOException known(BodyFailure failure) {
        return failure.getCause() instanceof ClientFault fault ? fault : failure;
    }

    private void ask() throws IOException {
        if (!asked) {
            asked = true;
            firstRead.beforeFirstRead();
        }
    }

    @Override
    public int available() {
        return outlet.available();
    }

    @Override
    public boolean isFinished() {
        return outlet.isFinished();
    }

    @Override
    public boolean isReady() {
        return outlet.isReady();
    }

    @Override
    public void whenReady(Runnable action) {
        try {
            ask();
        } catch (IOException e) {
            // The client has disconnected, so the next read must throw an exception.
            outlet.close();
        }
        outlet.whenReady(action);
    }

    @Override
    public Fields trailers() {
        return outlet.isFinished() ? trailers.get() : Fields.EMPTY;
    }
}
