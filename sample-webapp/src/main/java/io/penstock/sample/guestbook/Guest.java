package io.penstock.sample.guestbook;

import jakarta.servlet.http.HttpSession;
import java.io.Serializable;

/**
 * The stored data of one visitor. It is immutable and {@link Serializable}: two requests of one
 * session may run at the same time, and a container may store a session elsewhere.
 */
record Guest(String name, int entries) implements Serializable {
    private static final String ATTRIBUTE = Guest.class.getName();
    private static final Guest UNKNOWN = new Guest("", 0);

    /** The guest of that session, or an unknown guest. */
    static Guest of(HttpSession session) {
        return session != null && session.getAttribute(ATTRIBUTE) instanceof Guest guest ? guest : UNKNOWN;
    }

    Guest signed(String as) {
        return new Guest(as, entries + 1);
    }

    void rememberIn(HttpSession session) {
        session.setAttribute(ATTRIBUTE, this);
    }

    boolean isKnown() {
        return entries > 0;
    }
}
