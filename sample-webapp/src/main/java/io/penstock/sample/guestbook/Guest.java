package io.penstock.sample.guestbook;

import jakarta.servlet.http.HttpSession;
import java.io.Serializable;

/**
 * The stored data of one visitor. An object is immutable, because two requests of one session can run at the same time.
 * It is {@link Serializable}, because a container can store a session on disk or in a database.
 */
record Guest(String name, int entries) implements Serializable {
    private static final String ATTRIBUTE = Guest.class.getName();
    private static final Guest UNKNOWN = new Guest("", 0);

    /** The guest of the session; an unknown guest if the session has no data or is null. */
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
