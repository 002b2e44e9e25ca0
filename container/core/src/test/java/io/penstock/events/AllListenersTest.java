package io.penstock.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests {@link ConnectionEvents#all}, which combines several listeners in one listener. */
final class AllListenersTest {
    private static final SocketAddress REMOTE = new InetSocketAddress("127.0.0.1", 1);
    private static final Request REQUEST =
            new Request("c1", 1, REMOTE, "GET", "/a?secret", "HTTP/1.1", name -> Optional.empty());

    private final List<String> recordedEvents = new ArrayList<>();

    /** Records the events that it gets. Does not follow requests, so this listener gets no events of requests. */
    private class RecordingListener implements ConnectionEvents {
        private final String name;

        RecordingListener(String name) {
            this.name = name;
        }

        @Override
        public void opened(String connection, SocketAddress remote) {
            recordedEvents.add(name + " opened " + connection);
        }

        @Override
        public void queued(Request request) {
            recordedEvents.add(name + " queued " + request.id());
        }
    }

    /** Records the events that it gets. Follows requests, so this listener also gets events of requests. */
    private class RequestListener extends RecordingListener {
        RequestListener(String name) {
            super(name);
        }

        @Override
        public boolean followsRequests() {
            return true;
        }
    }

    private static final class ThrowingListener implements ConnectionEvents {
        @Override
        public void opened(String connection, SocketAddress remote) {
            throw new IllegalStateException("on purpose");
        }
    }

    @Test
    void allListenersAreCalledInOrder() {
        ConnectionEvents.all(List.of(new RecordingListener("a"), new RecordingListener("b")))
                .opened("c1", REMOTE);
        assertEquals(List.of("a opened c1", "b opened c1"), recordedEvents);
    }

    @Test
    void aListenerThatThrowsDoesNotAffectOtherListeners() {
        ConnectionEvents all = ConnectionEvents.all(List.of(new ThrowingListener(), new RecordingListener("b")));
        all.opened("c1", REMOTE);
        all.opened("c2", REMOTE);
        assertEquals(List.of("b opened c1", "b opened c2"), recordedEvents);
    }

    @Test
    void onlyListenersThatFollowRequestsGetRequestEvents() {
        ConnectionEvents all = ConnectionEvents.all(List.of(new RecordingListener("a"), new RequestListener("b")));
        assertTrue(all.followsRequests());
        all.queued(REQUEST);
        assertEquals(List.of("b queued c1-1"), recordedEvents);
    }

    @Test
    void followsRequestsReturnsFalseIfNoListenerFollowsRequests() {
        assertFalse(ConnectionEvents.all(List.of(new RecordingListener("a"))).followsRequests());
    }

    @Test
    void followsNowReturnsTrueIfAtLeastOneListenerReturnsTrue() {
        RequestListener sometimesFollowing = new RequestListener("a") {
            @Override
            public boolean followsNow() {
                return !recordedEvents.isEmpty();
            }
        };
        ConnectionEvents all = ConnectionEvents.all(List.of(new RecordingListener("w"), sometimesFollowing));
        assertTrue(all.followsRequests());
        assertFalse(all.followsNow());
        recordedEvents.add("something");
        assertTrue(all.followsNow());
        recordedEvents.clear();
        assertTrue(ConnectionEvents.all(List.of(sometimesFollowing, new RequestListener("b")))
                .followsNow());
    }

    @Test
    void followsNowReturnsFalseIfTheListenerThrows() {
        ConnectionEvents all = ConnectionEvents.all(List.of(new RequestListener("a") {
            @Override
            public boolean followsNow() {
                throw new IllegalStateException("on purpose");
            }
        }));
        assertFalse(all.followsNow());
    }

    @Test
    void toStringOfARequestContainsThePathWithoutTheQuery() {
        assertEquals("c1-1 GET /a", REQUEST.toString());
        assertEquals("/a?secret", REQUEST.target());
        assertEquals("secret", REQUEST.query());
    }
}
