package io.penstock.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests the life cycle of a session (Servlet 6.1, chapter 7). */
final class SessionLifeTest {
    private final SessionFixture fixture = new SessionFixture();
    private final SessionManager manager = fixture.manager;

    @Test
    void aSessionIsNewOnlyInTheRequestThatCreatesTheSession() {
        WebSession session = manager.create();
        assertTrue(session.isNew());
        manager.leave(session);
        WebSession joined = manager.find(session.getId());
        assertNotNull(joined);
        assertFalse(joined.isNew());
    }

    @Test
    void allRequestsOfASessionGetTheSameSessionObject() {
        WebSession session = manager.create();
        manager.leave(session);
        assertSame(session, manager.find(session.getId()));
    }

    @Test
    void noSessionIsFoundForAnUnknownId() {
        assertNull(manager.find("x"));
        assertNull(manager.find(""));
        assertNull(manager.find("x".repeat(100_000)));
    }

    @Test
    void sessionIdsAreUniqueAndConsistOf32UrlSafeCharacters() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            String id = manager.create().getId();
            assertTrue(id.matches("[A-Za-z0-9_-]{32}"), id);
            ids.add(id);
        }
        assertEquals(1000, ids.size());
    }

    @Test
    void theLastAccessedTimeIsTheStartOfThePreviousRequest() {
        WebSession session = manager.create();
        long created = session.getCreationTime();
        assertEquals(created, session.getLastAccessedTime());
        fixture.pass(Duration.ofSeconds(5));
        manager.find(session.getId());
        assertEquals(created, session.getLastAccessedTime());
        fixture.pass(Duration.ofSeconds(5));
        manager.find(session.getId());
        assertEquals(created + 5000, session.getLastAccessedTime());
    }

    @Test
    void mostMethodsOfAnInvalidatedSessionThrowAnException() {
        WebSession session = manager.create();
        session.invalidate();
        for (Runnable call : List.<Runnable>of(
                session::getCreationTime,
                session::getLastAccessedTime,
                session::getAttributeNames,
                session::isNew,
                session::invalidate,
                session::getAccessor,
                () -> session.getAttribute("a"),
                () -> session.setAttribute("a", 1),
                () -> session.setAttribute("a", null),
                () -> session.removeAttribute("a"))) {
            assertThrows(IllegalStateException.class, call::run);
        }
    }

    @Test
    void theIdAndTheMaxInactiveIntervalAndTheContextOfAnInvalidatedSessionCanBeRead() {
        WebSession session = manager.create();
        String id = session.getId();
        session.invalidate();
        assertEquals(id, session.getId());
        assertEquals(1800, session.getMaxInactiveInterval());
        assertSame(fixture.context, session.getServletContext());
    }

    @Test
    void anInvalidatedSessionIsNotFound() {
        WebSession session = manager.create();
        session.invalidate();
        assertNull(manager.find(session.getId()));
        manager.leave(session);
        assertNull(manager.find(session.getId()));
    }

    @Test
    void listenersAreNotifiedOfASessionEndBeforeTheAttributesAreRemoved() {
        WebSession session = manager.create();
        session.setAttribute("a", 1);
        session.invalidate();
        assertEquals(List.of("created", "added a", "destroyed with [a]", "removed a"), fixture.diary);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwUndeclared(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** A listener that is not written in Java can throw checked exceptions that it does not declare. */
    @Test
    void aSessionWhoseCreationFailsIsForgottenWhateverTheListenerThrows() {
        fixture.whenCreated = () -> SessionLifeTest.<RuntimeException>throwUndeclared(new IOException("no database"));
        assertThrows(IOException.class, manager::create);
        assertEquals(0, manager.count());
        assertTrue(fixture.store.transientIds().isEmpty());
    }

    @Test
    void aSessionEndsCompletelyWhateverTheListenersOfItsAttributesThrow() {
        WebSession session = manager.create();
        for (String name : new String[] {"a", "b"}) {
            session.setAttribute(name, new HttpSessionBindingListener() {
                @Override
                public void valueUnbound(HttpSessionBindingEvent event) {
                    fixture.diary.add("unbound " + event.getName());
                    SessionLifeTest.<RuntimeException>throwUndeclared(new IOException("no database"));
                }
            });
        }
        manager.leave(session);
        fixture.diary.clear();
        fixture.pass(Duration.ofHours(1));
        fixture.expire();
        assertEquals(List.of("destroyed with [a, b]", "unbound a", "unbound b"), fixture.diary);
        assertFalse(session.isValid());
        assertEquals(0, manager.count());
    }

    @Test
    void aSessionIsFoundOnlyByItsNewIdAfterAChangeOfTheId() {
        WebSession session = manager.create();
        session.setAttribute("a", 1);
        String old = session.getId();
        String changed = manager.changeId(session);
        assertNotEquals(old, changed);
        assertEquals(changed, session.getId());
        assertNull(manager.find(old));
        manager.leave(session);
        assertNull(manager.find(old));
        WebSession found = manager.find(changed);
        assertSame(session, found);
        assertEquals(1, found.getAttribute("a"));
        assertTrue(fixture.diary.contains("id changed"));
    }

    @Test
    void theIdOfAnInvalidatedSessionCannotBeChanged() {
        WebSession session = manager.create();
        session.invalidate();
        assertThrows(IllegalStateException.class, () -> manager.changeId(session));
    }

    @Test
    void anAccessorCanUseTheSessionOutsideOfARequest() {
        WebSession session = manager.create();
        HttpSession.Accessor accessor = session.getAccessor();
        manager.leave(session);
        AtomicReference<HttpSession> seen = new AtomicReference<>();
        fixture.pass(Duration.ofMinutes(20));
        accessor.access(seen::set);
        assertSame(session, seen.get());
        fixture.pass(Duration.ofMinutes(20));
        fixture.expire();
        assertTrue(session.isValid(), "the access has not delayed the expiry of the session");
    }

    @Test
    void anAccessorOfAFormerIdOrAnInvalidSessionThrowsAnException() {
        WebSession session = manager.create();
        HttpSession.Accessor before = session.getAccessor();
        manager.changeId(session);
        assertThrows(IllegalStateException.class, () -> before.access(seen -> {}));
        HttpSession.Accessor after = session.getAccessor();
        session.invalidate();
        assertThrows(IllegalStateException.class, () -> after.access(seen -> {}));
    }

    @Test
    void allSessionsEndWhenTheContextStops() {
        WebSession used = manager.create();
        WebSession resting = manager.create();
        manager.leave(resting);
        manager.stop();
        assertFalse(used.isValid());
        assertFalse(resting.isValid());
        assertTrue(fixture.store.transientIds().isEmpty());
    }
}
