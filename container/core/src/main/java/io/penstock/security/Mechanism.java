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
 * A login mechanism (Servlet 6.1, 13.6).
 *
 * <p>Thread: workers, several at once. Reactors call the first three methods, too, so these must not wait.
 */
interface Mechanism {

    /** The value of {@code getAuthType}. */
    String type();

    /** The field lines of a 401 response that asks for credentials; null if the mechanism cannot ask in this way. */
    @Nullable
    Fields challenge();

    /** Whether a request has credentials, valid or not. */
    boolean hasCredentials(RequestHead head);

    /** Authenticates the request. Returns null if that fails; then the response is a challenge or an error. */
    @Nullable
    Identity authenticate(HttpRequest request, HttpServletResponse response, Moment moment)
            throws IOException, ServletException;

    /** Whether the mechanism uses names and passwords, as {@code HttpServletRequest.login} does. */
    default boolean takesPasswords() {
        return true;
    }

    /** When {@link #authenticate} is called. */
    enum Moment {
        /** Before the application has seen the request. */
        ENTRY,
        /** By the application, which may have read the body. */
        BY_APPLICATION
    }
}
