package io.penstock.http1;

import static org.awaitility.Awaitility.await;

import io.penstock.events.CloseCause;
import io.penstock.events.ConnectionEvents;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records the events of a server's connections. Tests can read these events and wait for them. */
public class RecordedEvents implements ConnectionEvents {
    private final List<String> opened = new CopyOnWriteArrayList<>();
    private final Map<String, Integer> ports = new ConcurrentHashMap<>(); // the port of the client of each connection
    private final List<String> refused = new CopyOnWriteArrayList<>();
    private final List<String> timedOut = new CopyOnWriteArrayList<>();
    private final List<String> upgraded = new CopyOnWriteArrayList<>();
    private final Map<String, String> causes = new ConcurrentHashMap<>(); // the close cause of each connection
    private final List<String> closed = new CopyOnWriteArrayList<>();
    private final List<Throwable> failed = new CopyOnWriteArrayList<>();

    @Override
    public void opened(String connection, SocketAddress remote) {
        ports.put(connection, remote instanceof InetSocketAddress inet ? inet.getPort() : -1);
        opened.add(connection);
    }

    @Override
    public void refused(String connection, int status, String reason) {
        refused.add(status + " " + reason);
    }

    @Override
    public void timedOut(String connection, String name) {
        timedOut.add(name);
    }

    @Override
    public void upgraded(String connection, String protocol) {
        upgraded.add(connection + " " + protocol);
    }

    @Override
    public void closed(String connection, CloseCause cause, String detail) {
        causes.merge(
                connection,
                detail.isEmpty() ? cause.id() : cause.id() + ": " + detail,
                (first, second) -> first + ", then " + second);
        closed.add(connection);
    }

    @Override
    public void failed(String connection, Throwable cause) {
        failed.add(cause);
    }

    public List<String> refused() {
        return refused;
    }

    public List<String> timedOut() {
        return timedOut;
    }

    public List<String> upgraded() {
        return upgraded;
    }

    public List<Throwable> failed() {
        return failed;
    }

    public void awaitTimeout(String name) {
        await().until(() -> timedOut.contains(name));
    }

    /** Waits until {@code count} connections have been closed since the start of the server. */
    public void awaitClosed(int count) {
        await().until(() -> closed.size() >= count);
    }

    /** Waits until the server has closed its side of this client's connection. Returns the cause. */
    public String awaitClosed(RawClient client) {
        String name = await().until(
                        () -> closed.stream()
                                .filter(connection -> client.port() == ports.getOrDefault(connection, 0))
                                .findAny(),
                        Optional::isPresent)
                .orElseThrow();
        return causes.get(name);
    }

    public void awaitOpened(int count) {
        await().until(() -> opened.size() >= count);
    }

    public void awaitFailed(int count) {
        await().until(() -> failed.size() >= count);
    }
}
