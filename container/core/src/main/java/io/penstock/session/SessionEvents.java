package io.penstock.session;

import jakarta.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * Calls the application's session listeners. An exception of a listener is rethrown, and the listeners after it are not called (Servlet
 * 6.1, 11.6). Thread: workers, within the call that caused the event.
 */
public interface SessionEvents {

    void created(HttpSession session);

    /** Called at the end of a session, while the session can be read. */
    void destroyed(HttpSession session);

    void idChanged(HttpSession session, String oldId);

    /** @param old the replaced value, or null */
    void attributeBound(HttpSession session, String name, Object value, @Nullable Object old);

    void attributeRemoved(HttpSession session, String name, Object value);
}
