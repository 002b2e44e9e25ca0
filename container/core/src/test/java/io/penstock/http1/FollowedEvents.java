package io.penstock.http1;

import static org.awaitility.Awaitility.await;

import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import io.penstock.events.Side;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Records the events of each request of a server, in order. The request with the id {@code c1-2} is the second request of the first
 * connection.
 */
public class FollowedEvents extends RecordedEvents {
    private final Map<String, List<String>> eventsOfRequests = new ConcurrentHashMap<>();
    private final Map<String, RequestSummary> summaries = new ConcurrentHashMap<>();

    @Override
    public boolean followsRequests() {
        return true;
    }

    @Override
    public void headArrived(Request request) {
        addEvent(request, "head " + request.method() + " " + request.target() + " " + request.protocol());
    }

    @Override
    public void bodyArrived(Request request, long bytes) {
        addEvent(request, "body " + bytes);
    }

    @Override
    public void spilled(Request request, Side side, long bytes) {
        addEvent(request, "spilled " + side);
    }

    @Override
    public void queued(Request request) {
        addEvent(request, "queued");
    }

    @Override
    public void taken(Request request, long waitedNanos) {
        addEvent(request, "taken");
    }

    @Override
    public void responding(Request request, int status) {
        addEvent(request, "responding " + status);
    }

    @Override
    public void gone(Request request, String cause) {
        addEvent(request, "gone");
    }

    @Override
    public void ended(RequestSummary summary) {
        addEvent(summary.request(), "ended " + summary.outcome() + " " + summary.status());
        summaries.put(summary.request().id(), summary);
    }

    private void addEvent(Request request, String event) {
        eventsOfRequests
                .computeIfAbsent(request.id(), id -> new CopyOnWriteArrayList<>())
                .add(event);
    }

    /** Returns the events of the request that were recorded until now. */
    public List<String> of(String id) {
        return eventsOfRequests.getOrDefault(id, List.of());
    }

    /** Returns the number of requests with at least one event. */
    public int requests() {
        return eventsOfRequests.size();
    }

    public void awaitEvent(String id, String event) {
        await().until(() -> of(id).contains(event));
    }

    /** Waits until the request has ended. Returns the summary of the request. */
    public RequestSummary summary(String id) {
        return await().until(() -> summaries.get(id), found -> found != null);
    }
}
