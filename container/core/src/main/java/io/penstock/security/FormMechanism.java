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
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A login page of the application's own, whose form is sent to {@code j_security_check} (Servlet 6.1, 13.6.3). The request that needed the
 * user is kept, with its body, until he has logged in.
 */
final class FormMechanism implements Mechanism {
    private static final String SUBMISSION = "/j_security_check";
    private static final String SAVED = "saved";
    private static final String SHORT_LIVED = "short-lived";

    private final WebContext context;
    private final Logins logins;
    private final String loginPage;
    private final String errorPage;
    private final SavedRequests saved;

    /** @param loginPage and {@code errorPage} are paths within the context */
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

    /** It takes a page. */
    @Override
    public @Nullable Fields challenge() {
        return null;
    }

    @Override
    public boolean hasCredentials(RequestHead head) {
        return SessionLogin.mayHaveSession(head);
    }

    /** Whether somebody sends in the form. */
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
        WebSession session = session(request);
        String before = session.note(SAVED);
        if (before != null) {
            saved.drop(Long.parseLong(before));
        }
        session.note(SAVED, Long.toString(saved.keep(kept, () -> logins.count(Counter.SAVED_REQUESTS_DROPPED))));
        show(loginPage, request, response);
        return null;
    }

    /** The session of the request; a new one does not live long before there is a user for it. */
    private WebSession session(HttpRequest request) {
        if (request.getSession(false) instanceof WebSession session) {
            return session;
        }
        WebSession session = request.getSession();
        Duration timeout = logins.limits().formTimeout();
        int seconds = Math.max(1, Saturated.count(timeout.toSeconds()));
        if (session.getMaxInactiveInterval() <= 0 || session.getMaxInactiveInterval() > seconds) {
            session.note(SHORT_LIVED, Integer.toString(seconds));
            session.setMaxInactiveInterval(seconds);
        }
        return session;
    }

    private void show(String page, HttpRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        RequestDispatcher dispatcher = context.getRequestDispatcher(page);
        if (dispatcher == null) {
            throw new ServletException("The page " + page + " of the login is no path of the application");
        }
        response.setHeader("Cache-Control", "no-store");
        dispatcher.forward(request, response);
    }

    /** Somebody has sent in the form: leads him to where he wanted to go, or tells him that it was wrong. */
    void submit(HttpRequest request) throws IOException, ServletException {
        if (request.getCharacterEncoding() == null) {
            request.setCharacterEncoding(
                    StandardCharsets.UTF_8); // browsers send forms as they got them, and say nothing
        }
        String name = request.getParameter("j_username");
        String password = request.getParameter("j_password");
        Attempt attempt = name == null || password == null
                ? new Attempt.Failed()
                : logins.withPassword(request, type(), name, password);
        if (attempt instanceof Attempt.Busy) {
            Authorization.comeBack(request.response()); // the form's error page would say that the password is wrong
        } else if (attempt instanceof Attempt.Succeeded succeeded) {
            request.state().identity(succeeded.user());
            WebSession session = SessionLogin.remember(request, succeeded.user());
            letLive(session);
            lead(request, location(session));
        } else {
            show(errorPage, request, request.response());
        }
    }

    /** The session is as any other from now on, unless the application has said how long it lives. */
    private void letLive(WebSession session) {
        String seconds = session.note(SHORT_LIVED);
        if (seconds != null) {
            session.note(SHORT_LIVED, null);
            if (session.getMaxInactiveInterval() == Integer.parseInt(seconds)) {
                session.setMaxInactiveInterval(context.sessions().defaultMaxInactiveInterval());
            }
        }
    }

    private String location(WebSession session) {
        String number = session.note(SAVED);
        String wanted = number == null ? null : saved.loggedIn(Long.parseLong(number));
        return wanted == null ? context.getContextPath() + '/' : wanted;
    }

    /** By 303, so that the client comes by GET; older clients know 302 only. */
    private static void lead(HttpRequest request, String location) throws IOException {
        boolean old = request.state().exchange().head().version() == Version.HTTP_1_0;
        int status = old ? HttpServletResponse.SC_FOUND : HttpServletResponse.SC_SEE_OTHER;
        request.response().sendRedirect(request.response().encodeRedirectURL(location), status, true);
    }

    /** The request that was kept, if this is the one that its user was led to. */
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
        return new RestoredExchange(request.state().exchange(), kept);
    }
}
