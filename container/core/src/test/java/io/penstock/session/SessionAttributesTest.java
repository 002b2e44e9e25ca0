package io.penstock.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the attributes of sessions, and attributes that are binding listeners (Servlet 6.1, section 7.4). */
final class SessionAttributesTest {
    private final SessionFixture fixture = new SessionFixture();
    private final WebSession session = fixture.manager.create();

    /** An attribute value that adds its notifications to the list of events ({@code fixture.diary}). */
    private final class Bound implements HttpSessionBindingListener {
        private final String label;

        Bound(String label) {
            this.label = label;
        }

        @Override
        public void valueBound(HttpSessionBindingEvent event) {
            fixture.diary.add(label + " bound to " + event.getName());
        }

        @Override
        public void valueUnbound(HttpSessionBindingEvent event) {
            fixture.diary.add(label + " unbound from " + event.getName());
        }
    }

    private List<String> afterCreation() {
        return fixture.diary.subList(1, fixture.diary.size());
    }

    @Test
    void aBoundValueIsNotifiedBeforeTheSessionAttributeListeners() {
        session.setAttribute("a", new Bound("x"));
        assertEquals(List.of("x bound to a", "added a"), afterCreation());
    }

    @Test
    void theReplacedValueIsNotifiedAfterTheNewValue() {
        session.setAttribute("a", new Bound("x"));
        session.setAttribute("a", new Bound("y"));
        assertEquals(
                List.of("x bound to a", "added a", "y bound to a", "x unbound from a", "replaced a"), afterCreation());
    }

    @Test
    void settingTheSameValueAgainCausesNoBindingEvent() {
        Bound value = new Bound("x");
        session.setAttribute("a", value);
        session.setAttribute("a", value);
        assertEquals(List.of("x bound to a", "added a", "replaced a"), afterCreation());
    }

    @Test
    void settingNullRemovesAnAttribute() {
        session.setAttribute("a", new Bound("x"));
        session.setAttribute("a", null);
        assertNull(session.getAttribute("a"));
        assertEquals(List.of("x bound to a", "added a", "x unbound from a", "removed a"), afterCreation());
    }

    @Test
    void removingAMissingAttributeCausesNoEvent() {
        session.removeAttribute("a");
        assertEquals(List.of(), afterCreation());
    }

    @Test
    void valuesAreUnboundWhenTheSessionEnds() {
        session.setAttribute("a", new Bound("x"));
        session.invalidate();
        assertEquals(
                List.of("x bound to a", "added a", "destroyed with [a]", "x unbound from a", "removed a"),
                afterCreation());
    }

    @Test
    void valuesThatAListenerBindsWhileTheSessionEndsAreUnboundToo() {
        // The map of the attributes keeps this name behind most others, so the removal has passed those when they are
        // set.
        session.setAttribute("o", new HttpSessionBindingListener() {
            @Override
            public void valueUnbound(HttpSessionBindingEvent event) {
                for (char name = 'a'; name < 'o'; name++) {
                    event.getSession().setAttribute(String.valueOf(name), new Bound("late"));
                }
            }
        });
        session.invalidate();
        for (char name = 'a'; name < 'o'; name++) {
            assertTrue(fixture.diary.contains("late unbound from " + name), fixture.diary.toString());
        }
        assertFalse(session.isValid());
    }

    @Test
    void getAttributeNamesReturnsACopyOfTheNames() {
        session.setAttribute("a", 1);
        var names = session.getAttributeNames();
        session.setAttribute("b", 2);
        assertEquals(List.of("a"), Collections.list(names));
    }

    @Test
    void anAttributeWithANullNameIsRejected() {
        assertThrows(IllegalArgumentException.class, () -> session.setAttribute(null, 1));
    }
}
