package io.penstock.security;

import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.request.HttpRequest;
import io.penstock.request.Identity;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A way in which clients say who they are (Servlet 6.1, 13.6).
 *
 * <p>Thread: workers, several at once; the first three methods reactors, too, which must not wait.
 */
interface Mechanism {

    /** What {@code getAuthType} answers. */
    String type();

    /** The field lines of a 401 that asks who it is; null if asking takes more than that. */
    @Nullable
    Fields challenge();

    /** Whether a request has something to look at, right or wrong. */
    boolean hasCredentials(RequestHead head);

    /** Finds out who makes the request; null if the response now asks for it, or says that it has failed. */
    @Nullable
    Identity authenticate(HttpRequest request, HttpServletResponse response, Moment moment)
            throws IOException, ServletException;

    /** Whether names and passwords, as of {@code HttpServletRequest.login}, are what this way is about. */
    default boolean takesPasswords() {
        return true;
    }

    /** When it is asked. */
    enum Moment {
        /** Before the application has seen the request. */
        ENTRY,
        /** By the application, which may have read the body. */
        BY_APPLICATION
    }
}
