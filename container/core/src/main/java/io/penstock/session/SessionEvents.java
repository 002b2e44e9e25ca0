package io.penstock.session;

import jakarta.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * What the application's session listeners are told; what one throws is thrown on, and the ones behind it are not told (Servlet
 * 6.1, 11.6). Thread: workers, in the middle of the call that caused the event.
 */
public interface SessionEvents {

    void created(HttpSession session);

    /** The session is still readable. */
    void destroyed(HttpSession session);

    void idChanged(HttpSession session, String oldId);

    /** {@code value} was bound; {@code old}, unless null, is what it took the place of. */
    void attributeBound(HttpSession session, String name, Object value, @Nullable Object old);

    void attributeRemoved(HttpSession session, String name, Object value);
}
