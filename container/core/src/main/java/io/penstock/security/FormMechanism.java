package io.penstock.security;

import io.penstock.context.WebContext;
import io.penstock.exchange.Exchange;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.Version;
import io.penstock.http.Violation;
import io.penstock.limits.Counter;
import io.penstock.request.HttpRequest;
import io.penstock.request.Identity;
import io.penstock.session.WebSession;
import io.penstock.time.Saturated;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Login by a form in a page of the application (Servlet 6.1, section 13.6.3). The form is sent to {@code j_security_check}. The request that needs
 * the login is saved with its body, and is handled after the login.
 *
 * <p>For a GET, only the location is saved, as a note of the session. So another server that shares the session can redirect the user to
 * the location. Any other request is saved in the memory of one server. If another server handles the login, that server redirects the user
 * to the root of the application.
 */
final class FormMechanism implements Mechanism {
    private static final String SUBMISSION = "/j_security_check";
    private static final String SAVED = "saved";

    /** The session note with the location of a saved GET. It exists until the login. */
    private static final String LOCATION = "location";

    /**
     * The session note with the location to which a login has redirected the client. The note exists only if the server that handled the
     * login has the saved request. At the GET of this location, the saved request replaces the GET.
     */
    private static final String AWAITED = "awaited";

    /**
     * The longest location that is stored in a session. The length is limited because many clients might begin a login and never complete
     * it. A GET with a longer location is saved in memory, like other requests.
     */
    private static final int LONGEST_LOCATION = 512;

    private final WebContext context;
    private final Logins logins;
    private final String loginPage;
    private final String errorPage;
    private final SavedRequests saved;

    /**
     * @param loginPage the path of the login page within the context
     * @param errorPage the path of the error page within the context
     */
    FormMechanism(WebContext context, Logins logins, String loginPage, String errorPage) {
        this.context = context;
        this.logins = logins;
        this.loginPage = loginPage;
        this.errorPage = errorPage;
        this.saved = new SavedRequests(logins.limits().savedRequests(), logins.clock());
    }

    @Override
    public String type() {
        return HttpServletRequest.FORM_AUTH;
    }

    /** Returns null, because the login needs a page. */
    @Override
    public @Nullable Fields challenge() {
        return null;
    }

    @Override
    public boolean hasCredentials(RequestHead head) {
        return SessionLogin.mayHaveSession(context, head);
    }

    /** Whether the request submits the login form. */
    static boolean isSubmission(String method, String path) {
        return method.equals("POST") && path.endsWith(SUBMISSION);
    }

    @Override
    public @Nullable Identity authenticate(HttpRequest request, HttpServletResponse response, Moment moment)
            throws IOException, ServletException {
        SavedRequest kept;
        try {
            kept = moment == Moment.ENTRY
                    ? SavedRequest.whole(request, logins.limits().savedRequest())
                    : SavedRequest.locationOnly(request);
        } catch (Violation tooLarge) {
            logins.count(Counter.SAVED_REQUEST_TOO_LARGE);
            response.sendError(tooLarge.status());
            return null;
        }
        awaitLogin(request);
        WebSession session = request.getSession();
        String before = session.note(SAVED);
        if (before != null) {
            saved.drop(Long.parseLong(before));
        }
        String location = kept.differsFromGet() ? null : noted(kept.location());
        session.note(LOCATION, location);
        session.note(SAVED, location == null ? keep(request, kept) : null);
        session.note(AWAITED, null);
        show(loginPage, new LoginPageRequest(request), response);
        return null;
    }

    /** Returns the number under which the request is saved. */
    private String keep(HttpRequest request, SavedRequest kept) {
        return Long.toString(saved.keep(
                kept,
                request.state().exchange().peer().remoteIp(),
                () -> logins.count(Counter.SAVED_REQUESTS_DROPPED)));
    }

    /** If the request gets a new session, the session ends soon without a login. */
    private void awaitLogin(HttpRequest request) {
        request.awaitLogin(
                Math.max(1, Saturated.count(logins.limits().formTimeout().toSeconds())));
    }

    private void show(String page, HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        RequestDispatcher dispatcher = context.getRequestDispatcher(page);
        if (dispatcher == null) {
            throw new ServletException("The page " + page + " of the login is not in the application");
        }
        response.setHeader("Cache-Control", "no-store");
        dispatcher.forward(request, response);
    }

    /** Handles the submitted form: redirects to the saved request, or shows the error page. */
    void submit(HttpRequest request) throws IOException, ServletException {
        if (request.getCharacterEncoding() == null) {
            // Browsers send the form in the encoding of its page, and do not name the encoding in the request.
            request.setCharacterEncoding(StandardCharsets.UTF_8);
        }
        String name = request.getParameter("j_username");
        String password = request.getParameter("j_password");
        Attempt attempt = name == null || password == null
                ? new Attempt.Failed()
                : logins.withPassword(request, type(), name, password);
        if (attempt instanceof Attempt.Busy) {
            // The application's error page is not used, because it would say that the password is wrong.
            Authorization.sendBusy(request.response());
        } else if (attempt instanceof Attempt.Succeeded succeeded) {
            request.state().identity(succeeded.user());
            WebSession session = SessionLogin.remember(request, succeeded.user());
            redirect(request, location(session));
        } else {
            awaitLogin(request);
            show(errorPage, request, request.response());
        }
    }

    /** The location for a session note; null if the location is too long. */
    private static @Nullable String noted(String location) {
        return location.length() > LONGEST_LOCATION ? null : location;
    }

    private String location(WebSession session) {
        String noted = session.note(LOCATION);
        if (noted != null) {
            session.note(LOCATION, null);
            return noted;
        }
        String number = session.note(SAVED);
        String wanted = number == null ? null : wanted(session, Long.parseLong(number));
        return wanted == null ? root() : wanted;
    }

    /** The location of the saved request; null if this server does not have the request. */
    private @Nullable String wanted(WebSession session, long number) {
        String wanted = saved.loggedIn(number);
        if (wanted != null && saved.has(number)) {
            session.note(AWAITED, noted(wanted));
        }
        return wanted;
    }

    private String root() {
        return context.getContextPath() + '/';
    }

    /**
     * Whether the saved request is lost: {@code request} follows the redirect after the login, but this server does not have the saved
     * request. (It is on another server, or was dropped.) This cannot happen to a saved GET.
     */
    boolean isLost(HttpRequest request) {
        WebSession session = SessionLogin.session(request);
        String awaited = session == null ? null : session.note(AWAITED);
        if (session == null
                || awaited == null
                || !request.getMethod().equals("GET")
                || !awaited.equals(SavedRequest.location(request))) {
            return false;
        }
        session.note(AWAITED, null);
        return true;
    }

    void redirectToRoot(HttpRequest request) throws IOException {
        redirect(request, root());
    }

    /** Redirects with 303, so that the client uses GET. HTTP/1.0 clients get 302, because HTTP/1.0 has no 303. */
    private static void redirect(HttpRequest request, String location) throws IOException {
        boolean old = request.state().exchange().head().version() == Version.HTTP_1_0;
        int status = old ? HttpServletResponse.SC_FOUND : HttpServletResponse.SC_SEE_OTHER;
        request.response().sendRedirect(request.response().encodeRedirectURL(location), status, true);
    }

    /** An exchange with the saved request, if {@code request} follows the redirect after the login. Otherwise null. */
    @Nullable
    Exchange restored(HttpRequest request) {
        if (!request.getMethod().equals("GET") || saved.isEmpty()) {
            return null;
        }
        WebSession session = SessionLogin.session(request);
        String number = session == null ? null : session.note(SAVED);
        if (session == null || number == null || SessionLogin.of(request) == null) {
            return null;
        }
        SavedRequest kept = saved.take(Long.parseLong(number), SavedRequest.location(request));
        if (kept == null) {
            return null;
        }
        session.note(SAVED, null);
        session.note(AWAITED, null);
        return new RestoredExchange(request.state().exchange(), kept);
    }
}
