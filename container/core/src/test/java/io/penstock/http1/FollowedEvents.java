package io.penstock.http1;

import static org.awaitility.Awaitility.await;

import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import io.penstock.events.Side;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The events of each request of a server, in order. The id {@code c1-2} means the second request of the first connection. */
public final class FollowedEvents extends RecordedEvents {
    private final Map<String, List<String>> told = new ConcurrentHashMap<>();
    private final Map<String, RequestSummary> summaries = new ConcurrentHashMap<>();

    @Override
    public boolean followsRequests() {
        return true;
    }

    @Override
    public void headArrived(Request request) {
        tell(request, "head " + request.method() + " " + request.target() + " " + request.protocol());
    }

    @Override
    public void bodyArrived(Request request, long bytes) {
        tell(request, "body " + bytes);
    }

    @Override
    public void spilled(Request request, Side side, long bytes) {
        tell(request, "spilled " + side);
    }

    @Override
    public void queued(Request request) {
        tell(request, "queued");
    }

    @Override
    public void taken(Request request, long waitedNanos) {
        tell(request, "taken");
    }

    @Override
    public void responding(Request request, int status) {
        tell(request, "responding " + status);
    }

    @Override
    public void gone(Request request, String cause) {
        tell(request, "gone");
    }

    @Override
    public void ended(RequestSummary summary) {
        tell(summary.request(), "ended " + summary.outcome() + " " + summary.status());
        summaries.put(summary.request().id(), summary);
    }

    private void tell(Request request, String moment) {
        told.computeIfAbsent(request.id(), id -> new CopyOnWriteArrayList<>()).add(moment);
    }

    /** Returns the events of one request so far. */
    public List<String> of(String id) {
        return told.getOrDefault(id, List.of());
    }

    /** Returns the number of requests that had events. */
    public int requests() {
        return told.size();
    }

    public void awaitTold(String id, String moment) {
        await().until(() -> of(id).contains(moment));
    }

    /** Waits until the request has ended. */
    public RequestSummary summary(String id) {
        return await().until(() -> summaries.get(id), found -> found != null);
    }
}
