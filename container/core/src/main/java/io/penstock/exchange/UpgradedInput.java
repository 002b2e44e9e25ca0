package io.penstock.exchange;

import io.penstock.http.Fields;
import io.penstock.pipe.RequestPipe;
import io.penstock.work.RequestQueue;
import io.penstock.work.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/**
 * The input of an upgraded connection. A worker that waits for the client in {@link #read} counts as streaming. The number of streaming
 * workers is limited.
 *
 * <p>Thread: one application thread at a time. This thread need not be a worker.
 */
final class UpgradedInput implements RequestBody {
    private final RequestQueue queue;
    private final RequestBody body;
    private final BooleanSupplier streams;

    /** @param streams whether the reading thread already counts as streaming */
    UpgradedInput(ServerResources server, RequestPipe.Outlet outlet, BooleanSupplier streams) {
        this.queue = server.queue();
        this.body = new PipeBody(outlet, -1, () -> Fields.EMPTY, () -> {});
        this.streams = streams;
    }

    @Override
    public long length() {
        return -1;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (body.isReady() || streams.getAsBoolean() || !Workers.isCurrent()) {
            return body.read(target);
        }
        if (!queue.beginStreaming()) {
            throw new IOException("No bytes have arrived, and too many workers already wait for clients");
        }
        try {
            return body.read(target);
        } finally {
            queue.endStreaming();
        }
    }

    @Override
    public void check() throws IOException {
        body.check();
    }

    @Override
    public int available() {
        return body.available();
    }

    @Override
    public boolean isFinished() {
        return body.isFinished();
    }

    @Override
    public boolean isReady() {
        return body.isReady();
    }

    @Override
    public void whenReady(Runnable action) {
        body.whenReady(action);
    }

    @Override
    public Fields trailers() {
        return Fields.EMPTY;
    }
}
