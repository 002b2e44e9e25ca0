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
 * A login mechanism (Servlet 6.1, section 13.6).
 *
 * <p>Thread: workers, several at once. Reactors (selector threads) also call {@link #type}, {@link #challenge} and {@link #hasCredentials},
 * so these methods must not wait.
 */
interface Mechanism {

    /** The value of {@code getAuthType}. */
    String type();

    /** The field lines of a 401 response that asks for credentials; null if the mechanism does not use 401 responses. */
    @Nullable
    Fields challenge();

    /** Whether a request has credentials, valid or not. */
    boolean hasCredentials(RequestHead head);

    /**
     * Authenticates the request. Returns null if the authentication fails; in this case, the method has written a challenge, a login page
     * or an error to the response.
     */
    @Nullable
    Identity authenticate(HttpRequest request, HttpServletResponse response, Moment moment)
            throws IOException, ServletException;

    /** Whether the mechanism uses names and passwords, as {@code HttpServletRequest.login} does. */
    default boolean takesPasswords() {
        return true;
    }

    /** When {@link #authenticate} is called. */
    enum Moment {
        /** The server calls the method before the application gets the request. */
        ENTRY,
        /** The application causes the call. The application may already have read the request body. */
        BY_APPLICATION
    }
}
