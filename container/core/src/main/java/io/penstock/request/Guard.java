package io.penstock.request;

import io.penstock.exchange.Admission;
import io.penstock.exchange.Exchange;
import io.penstock.http.RequestHead;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates and authorizes the requests of one context (Servlet 6.1, chapter 13); implemented by the package {@code security}. If a
 * method of the guard throws, the request is not served.
 */
public interface Guard {

    /** The guard of a context without constraints and logins. */
    Guard OPEN = new Guard() {
        @Override
        public Admission.@Nullable Refused atHead(RequestHead head, String path) {
            return null;
        }

        @Override
        public @Nullable Exchange restored(HttpRequest request) {
            return null;
        }

        @Override
        public Decision enter(HttpRequest request) {
            return Decision.GRANTED;
        }

        @Override
        public boolean authenticate(HttpRequest request, HttpServletResponse response) throws ServletException {
            throw new ServletException("The application has no login mechanism");
        }

        @Override
        public void login(HttpRequest request, String name, String password) throws ServletException {
            throw new ServletException("The application has no login mechanism that takes passwords");
        }

        @Override
        public void logout(HttpRequest request) {
            // Nothing to do: this guard never logs a user in.
        }
    };

    /** Whether a request may enter the application. */
    enum Decision {
        GRANTED,
        /** The request may not enter. The response is a rejection, a challenge or a redirect. */
        ANSWERED
    }

    /**
     * Decides by the request's head alone. Returns a rejection, or null. If the result is null, {@link #enter} decides.
     *
     * <p>Thread: a reactor. So the method must only calculate and read immutable tables.
     *
     * @param path the decoded path within the context
     */
    Admission.@Nullable Refused atHead(RequestHead head, String path);

    /**
     * Returns the saved exchange that replaces the present exchange after a form login (Servlet 6.1, section 13.6.3); null if there is none.
     * Thread: a worker, which calls this method before all other steps of the request.
     */
    @Nullable
    Exchange restored(HttpRequest request);

    /** Authenticates the user if the constraints require this, and decides whether the request may continue. Thread: a worker. */
    Decision enter(HttpRequest request) throws IOException, ServletException;

    /**
     * Implements {@code HttpServletRequest.authenticate}. Called only if the user is not authenticated yet.
     *
     * @return false if the user is not authenticated; the response then asks the client to authenticate
     */
    boolean authenticate(HttpRequest request, HttpServletResponse response) throws IOException, ServletException;

    /** Implements {@code HttpServletRequest.login}. Called only if the user is not authenticated yet. */
    void login(HttpRequest request, String name, String password) throws ServletException;

    /** Implements {@code HttpServletRequest.logout}. */
    void logout(HttpRequest request);
}
