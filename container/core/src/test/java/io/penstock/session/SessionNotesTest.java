package io.penstock.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Tests the notes of a session. A note is a value that the container stores in the session. The application cannot access notes. */
class SessionNotesTest {
    private final SessionFixture fixture = new SessionFixture();
    private final WebSession session = fixture.manager.create();

    @Test
    void aNoteIsKeptWhenTheIdOfTheSessionChanges() {
        session.note("user", "ann");
        fixture.manager.changeId(session);
        assertEquals("ann", session.note("user"));
        session.note("user", null);
        assertNull(session.note("user"));
    }

    @Test
    void theApplicationCannotReadOrChangeANote() {
        session.note("user", "ann");
        assertFalse(session.getAttributeNames().hasMoreElements());
        assertNull(session.getAttribute("user"));
        assertNull(session.getAttribute("\0user"));
        session.removeAttribute("\0user");
        assertThrows(IllegalArgumentException.class, () -> session.setAttribute("\0user", "root"));
        assertEquals("ann", session.note("user"));
    }

    @Test
    void anInvalidatedSessionHasNoNotes() {
        session.note("user", "ann");
        session.invalidate();
        assertNull(session.note("user"));
        session.note("user", "bob");
        assertNull(session.note("user"));
    }
}
