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

final class AllListenersTest {
    private static final SocketAddress REMOTE = new InetSocketAddress("127.0.0.1", 1);
    private static final Request REQUEST =
            new Request("c1", 1, REMOTE, "GET", "/a?secret", "HTTP/1.1", name -> Optional.empty());

    private final List<String> told = new ArrayList<>();

    /** Records its events. */
    private class Writing implements ConnectionEvents {
        private final String name;

        Writing(String name) {
            this.name = name;
        }

        @Override
        public void opened(String connection, SocketAddress remote) {
            told.add(name + " opened " + connection);
        }

        @Override
        public void queued(Request request) {
            told.add(name + " queued " + request.id());
        }
    }

    private class Following extends Writing {
        Following(String name) {
            super(name);
        }

        @Override
        public boolean followsRequests() {
            return true;
        }
    }

    private static final class Throwing implements ConnectionEvents {
        @Override
        public void opened(String connection, SocketAddress remote) {
            throw new IllegalStateException("on purpose");
        }
    }

    @Test
    void allListenersAreCalledInOrder() {
        ConnectionEvents.all(List.of(new Writing("a"), new Writing("b"))).opened("c1", REMOTE);
        assertEquals(List.of("a opened c1", "b opened c1"), told);
    }

    @Test
    void aListenerThatThrowsDoesNotAffectOtherListeners() {
        ConnectionEvents all = ConnectionEvents.all(List.of(new Throwing(), new Writing("b")));
        all.opened("c1", REMOTE);
        all.opened("c2", REMOTE);
        assertEquals(List.of("b opened c1", "b opened c2"), told);
    }

    @Test
    void onlyListenersThatFollowRequestsGetRequestEvents() {
        ConnectionEvents all = ConnectionEvents.all(List.of(new Writing("a"), new Following("b")));
        assertTrue(all.followsRequests());
        all.queued(REQUEST);
        assertEquals(List.of("b queued c1-1"), told);
    }

    @Test
    void requestsAreFollowedOnlyIfAListenerFollowsRequests() {
        assertFalse(ConnectionEvents.all(List.of(new Writing("a"))).followsRequests());
    }

    @Test
    void followsNowIsTrueIfAtLeastOneListenerFollowsNow() {
        Following atTimes = new Following("a") {
            @Override
            public boolean followsNow() {
                return !told.isEmpty();
            }
        };
        ConnectionEvents all = ConnectionEvents.all(List.of(new Writing("w"), atTimes));
        assertTrue(all.followsRequests());
        assertFalse(all.followsNow());
        told.add("something");
        assertTrue(all.followsNow());
        told.clear();
        assertTrue(ConnectionEvents.all(List.of(atTimes, new Following("b"))).followsNow());
    }

    @Test
    void anExceptionInFollowsNowMeansFalse() {
        ConnectionEvents all = ConnectionEvents.all(List.of(new Following("a") {
            @Override
            public boolean followsNow() {
                throw new IllegalStateException("on purpose");
            }
        }));
        assertFalse(all.followsNow());
    }

    @Test
    void theTextOfARequestContainsThePathWithoutTheQuery() {
        assertEquals("c1-1 GET /a", REQUEST.toString());
        assertEquals("/a?secret", REQUEST.target());
        assertEquals("secret", REQUEST.query());
    }
}
