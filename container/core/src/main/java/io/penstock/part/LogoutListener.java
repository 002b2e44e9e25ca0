package io.penstock.part;

import jakarta.servlet.http.HttpSession;
import java.util.EventListener;

/**
 * Is told when a user logs out, for parts of the container. A part adds it to the context as a session listener that implements this
 * interface, too.
 *
 * <p>Thread: the worker that runs {@code HttpServletRequest.logout}.
 */
public interface LogoutListener extends EventListener {

    /** @param session the session of the request that has called {@code logout}; it remains valid */
    void loggedOut(HttpSession session);
}
