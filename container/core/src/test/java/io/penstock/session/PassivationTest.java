package io.penstock.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that sessions are stored when their context stops, and that the next context of the application restores the sessions. Also tests
 * the notifications of session attributes at passivation and activation (Servlet 6.1, section 7.7.2).
 */
final class PassivationTest {
    private static final List<String> NOTIFICATIONS = new ArrayList<>();

    @TempDir
    Path folder;

    private final Counters counters = new Counters();

    /** An attribute that records its notifications. */
    private static final class Basket implements HttpSessionActivationListener, Serializable {
        private static final long serialVersionUID = 1L;
        private final List<String> items = new ArrayList<>();

        @Override
        public void sessionWillPassivate(HttpSessionEvent event) {
            NOTIFICATIONS.add(
                    "passivate " + event.getSession().getAttributeNames().nextElement());
        }

        @Override
        public void sessionDidActivate(HttpSessionEvent event) {
            NOTIFICATIONS.add(
                    "activate " + event.getSession().getAttributeNames().nextElement());
        }
    }

    /** An attribute that cannot be serialized. */
    private static final class Connection {}

    @BeforeEach
    void clearNotifications() {
        NOTIFICATIONS.clear();
    }

    private SessionFixture context(int inMemory, Instant now) throws Exception {
        return new SessionFixture(
                PassivatedSessions.local(
                        FileSessionStore.open(folder),
                        Formats.of(null, PassivationTest.class.getClassLoader()),
                        inMemory,
                        counters),
                now);
    }

    private SessionFixture context(int inMemory) throws Exception {
        return context(inMemory, Instant.parse("2026-01-01T00:00:00Z"));
    }

    @Test
    void theNextContextRestoresTheSessionWithItsAttributesAndTimes() throws Exception {
        SessionFixture before = context(10);
        WebSession session = before.manager.create();
        session.setAttribute("name", "Ada");
        session.setAttribute("numbers", Map.of("one", 1));
        session.setMaxInactiveInterval(77);
        before.manager.leave(session);
        before.manager.stop();
        assertFalse(before.diary.contains("destroyed with [name]"), "the stop must not end the session");
        SessionFixture after = context(10);
        WebSession found = after.manager.find(session.getId());
        assertNotNull(found);
        assertNotSame(session, found);
        assertEquals("Ada", found.getAttribute("name"));
        assertEquals(Map.of("one", 1), found.getAttribute("numbers"));
        assertEquals(77, found.getMaxInactiveInterval());
        assertEquals(before.instant().toEpochMilli(), found.getCreationTime());
        assertFalse(found.isNew());
        assertEquals(List.of(), after.diary, "the restored session was reported as a new session");
    }

    @Test
    void attributesAreNotifiedBeforePassivationAndAfterActivation() throws Exception {
        SessionFixture before = context(10);
        WebSession session = before.manager.create();
        session.setAttribute("basket", new Basket());
        assertEquals(List.of(), NOTIFICATIONS);
        before.manager.leave(session);
        assertEquals(
                List.of("passivate basket", "activate basket"),
                NOTIFICATIONS,
                "notifications of a session that is saved and stays in memory");
        before.manager.stop();
        assertEquals("passivate basket", NOTIFICATIONS.get(NOTIFICATIONS.size() - 1));
        NOTIFICATIONS.clear();
        assertNotNull(context(10).manager.find(session.getId()));
        assertEquals(List.of("activate basket"), NOTIFICATIONS);
    }

    @Test
    void aChangedAttributeObjectIsSavedWithoutACallOfSetAttribute() throws Exception {
        SessionFixture before = context(10);
        WebSession session = before.manager.create();
        Basket basket = new Basket();
        session.setAttribute("basket", basket);
        before.manager.leave(session);
        WebSession again = before.manager.find(session.getId());
        assertNotNull(again);
        basket.items.add("apple");
        before.manager.leave(again);
        WebSession found = context(10).manager.find(session.getId());
        assertNotNull(found);
        assertEquals(List.of("apple"), ((Basket) found.getAttribute("basket")).items);
    }

    @Test
    void aNonSerializableAttributeIsLostOnlyWhenTheContextStops() throws Exception {
        SessionFixture before = context(10);
        WebSession session = before.manager.create();
        Connection connection = new Connection();
        session.setAttribute("connection", connection);
        session.setAttribute("name", "Ada");
        before.manager.leave(session);
        WebSession again = before.manager.find(session.getId());
        assertSame(session, again);
        assertSame(connection, again.getAttribute("connection"));
        before.manager.leave(again);
        before.manager.stop();
        WebSession found = context(10).manager.find(session.getId());
        assertNotNull(found);
        assertNull(found.getAttribute("connection"));
        assertEquals("Ada", found.getAttribute("name"));
    }

    @Test
    void theLeastRecentlyUsedSessionIsPassivatedIfTooManySessionsAreInMemory() throws Exception {
        SessionFixture fixture = context(2);
        List<WebSession> sessions = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            WebSession session = fixture.manager.create();
            session.setAttribute("i", i);
            fixture.manager.leave(session);
            sessions.add(session);
        }
        assertEquals(1, counters.value(Counter.SESSIONS_PASSIVATED));
        WebSession first = fixture.manager.find(sessions.get(0).getId());
        assertNotNull(first);
        assertNotSame(sessions.get(0), first);
        assertEquals(0, first.getAttribute("i"));
        assertSame(sessions.get(2), fixture.manager.find(sessions.get(2).getId()));
    }

    @Test
    void aSessionExpiresOnTimeAfterARestart() throws Exception {
        SessionFixture before = context(10);
        WebSession session = before.manager.create();
        session.setAttribute("a", 1);
        session.setMaxInactiveInterval(60);
        before.manager.leave(session);
        before.manager.stop();
        SessionFixture after = context(10, before.instant().plus(Duration.ofSeconds(59)));
        after.expire();
        assertEquals(List.of(), after.diary);
        after.pass(Duration.ofSeconds(1));
        after.expire();
        assertEquals(List.of("destroyed with [a]", "removed a"), after.diary);
        assertNull(context(10).manager.find(session.getId()));
    }

    @Test
    void aRequestWithoutChangesDelaysTheExpiryEvenAfterARestart() throws Exception {
        SessionFixture before = context(10);
        WebSession session = before.manager.create();
        session.setMaxInactiveInterval(60);
        before.manager.leave(session);
        before.pass(Duration.ofSeconds(50));
        WebSession joined = before.manager.find(session.getId());
        assertNotNull(joined);
        before.manager.leave(joined);
        SessionFixture after = context(10, before.instant().plus(Duration.ofSeconds(50)));
        after.expire();
        assertNotNull(after.manager.find(session.getId()));
    }

    @Test
    void anInvalidatedSessionIsNotRestored() throws Exception {
        SessionFixture before = context(10);
        WebSession session = before.manager.create();
        before.manager.leave(session);
        WebSession joined = before.manager.find(session.getId());
        assertNotNull(joined);
        joined.invalidate();
        before.manager.leave(joined);
        before.manager.stop();
        assertNull(context(10).manager.find(session.getId()));
    }

    @Test
    void onlyTheNewSessionIdIsValidAfterAnIdChangeAndARestart() throws Exception {
        SessionFixture before = context(10);
        WebSession session = before.manager.create();
        session.setAttribute("a", 1);
        before.manager.leave(session);
        String old = session.getId();
        WebSession joined = before.manager.find(old);
        assertNotNull(joined);
        String changed = before.manager.changeId(joined);
        before.manager.leave(joined);
        before.manager.stop();
        SessionFixture after = context(10);
        assertNull(after.manager.find(old));
        WebSession found = after.manager.find(changed);
        assertNotNull(found);
        assertEquals(1, found.getAttribute("a"));
    }

    @Test
    void anAttributeCanInvalidateItsSessionDuringPassivation() throws Exception {
        SessionFixture fixture = context(10);
        WebSession session = fixture.manager.create();
        session.setAttribute("a", new HttpSessionActivationListener() {
            @Override
            public void sessionWillPassivate(HttpSessionEvent event) {
                event.getSession().invalidate();
            }
        });
        fixture.manager.leave(session);
        assertFalse(session.isValid());
        assertNull(fixture.manager.find(session.getId()));
        assertTrue(FileSessionStore.open(folder).expired(Instant.MAX, 1).isEmpty());
    }
}
