package io.penstock.loadtest.load;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.Exchange;
import io.penstock.loadtest.client.HttpConnection;
import org.jspecify.annotations.Nullable;

/** One persistent connection of an {@link OpenLoop}. It carries one request at a time. Thread: the thread of the {@code ClientLoop}. */
final class Lane implements Exchange, HttpConnection.Listener {
    private final OpenLoop road;
    private final long deadline;
    private @Nullable HttpConnection connection;
    private long openedAt;
    private long index;

    Lane(OpenLoop road) {
        this.road = road;
        this.deadline = road.plan().deadline().toNanos();
    }

    /** Starts to make the connection. {@link #ask} can be called at once. */
    void open() throws CallException {
        openedAt = road.nanos();
        connection =
                HttpConnection.open(road.loop(), road.plan().request().target().address(), this);
    }

    /** Sends the request with the given index. */
    void ask(long request) {
        if (connection == null) {
            throw new IllegalStateException("There is no connection");
        }
        index = request;
        connection.send(road.plan().request(), road.dueAt(request) + deadline, this);
    }

    void close() {
        if (connection != null) {
            connection.close();
        }
    }

    @Override
    public void onOpen(HttpConnection opened) {
        road.measurement().onConnect(road.nanos() - openedAt);
    }

    @Override
    public void onComplete(int status) {
        road.onAnswer(index, status);
        if (road.isRunning() && connection != null && connection.isOpen()) {
            road.onFree(this);
        }
        // Otherwise the server has closed the connection after its response, and onClosed is called next.
    }

    @Override
    public void onFailure(CallException failure) {
        road.onFailure(index, failure);
    }

    @Override
    public void onClosed(HttpConnection closed, @Nullable CallException cause) {
        road.onGone(this);
    }
}
