package io.penstock.request;

import io.penstock.exchange.Admission;
import io.penstock.exchange.Exchange;
import io.penstock.http.RequestHead;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may ask one context for what, and finds out who asks (Servlet 6.1, chapter 13); implemented above. What it throws
 * lets nobody in.
 */
public interface Guard {

    /** Of a context without constraints and logins. */
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
        public Passage enter(HttpRequest request) {
            return Passage.GRANTED;
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
            // nobody can be logged in
        }
    };

    /** Whether a request may go on to the application. */
    enum Passage {
        GRANTED,
        /** It may not, and the response says why, or what to do about it. */
        ANSWERED
    }

    /**
     * What can be said of a request by its head alone: a refusal, or null if it may go on, to {@link #enter} at least.
     *
     * <p>Thread: a reactor: immutable tables and arithmetic only.
     *
     * @param path within the context, decoded
     */
    Admission.@Nullable Refused atHead(RequestHead head, String path);

    /**
     * The exchange that the application is to see in the place of this request's: a request that was kept until its user had
     * logged in (Servlet 6.1, 13.6.3). Null where there is none. Thread: a worker, before anything else of the request.
     */
    @Nullable
    Exchange restored(HttpRequest request);

    /** Finds out who asks as far as that is necessary, and whether the request may go on. Thread: a worker. */
    Passage enter(HttpRequest request) throws IOException, ServletException;

    /**
     * For {@code HttpServletRequest.authenticate}, where nobody is authenticated yet.
     *
     * @return false if the response has been made one that asks the client to authenticate
     */
    boolean authenticate(HttpRequest request, HttpServletResponse response) throws IOException, ServletException;

    /** For {@code HttpServletRequest.login}, where nobody is authenticated yet. */
    void login(HttpRequest request, String name, String password) throws ServletException;

    /** For {@code HttpServletRequest.logout}. */
    void logout(HttpRequest request);
}
