package io.penstock.security;

import io.penstock.context.WebContext;
import io.penstock.http.DecidingFields;
import io.penstock.http.RequestHead;
import io.penstock.request.HttpRequest;
import io.penstock.request.Identity;
import io.penstock.session.WebSession;
import jakarta.servlet.SessionTrackingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stores a login in the session. The login lasts as long as the session. The login is stored as a note of the session. The application
 * cannot see or change this note. At a login the id of the session changes, to prevent session fixation.
 */
final class SessionLogin {
    private static final String USER = "user";
    private static final String SEPARATOR = "\n";

    private SessionLogin() {}

    /** Whether the request can belong to a session: the head contains a session id, valid or not, or sessions are tracked by TLS. */
    static boolean mayHaveSession(WebContext context, RequestHead head) {
        return head.deciding().has(DecidingFields.Name.COOKIE)
                || head.target().path().indexOf(';') >= 0
                || context.getEffectiveSessionTrackingModes().contains(SessionTrackingMode.SSL);
    }

    /** The valid session of the request; null if there is none. */
    static @Nullable WebSession session(HttpRequest request) {
        boolean possible = mayHaveSession(
                request.view().context(), request.state().exchange().head());
        return possible ? request.findSession() : null;
    }

    /**
     * Looks up the session before the application responds to an authenticated user. If the session cookie names another server, the
     * look-up sends the client a cookie that names this server.
     */
    static void use(HttpRequest request) {
        if (mayHaveSession(request.view().context(), request.state().exchange().head())) {
            request.getSession(false);
        }
    }

    /** The user who has logged in with the session of the request; null if there is no login. */
    static @Nullable Identity of(HttpRequest request) {
        WebSession session = session(request);
        String note = session == null ? null : session.note(USER);
        if (note == null) {
            return null;
        }
        String[] parts = note.split(SEPARATOR, -1);
        Set<String> roles = new HashSet<>(List.of(parts).subList(2, parts.length));
        return Identity.of(parts[0], parts[1], roles);
    }

    /** Stores the login in the session of the request; creates a session if the request has none. */
    static WebSession remember(HttpRequest request, Identity user) {
        List<String> parts =
                new ArrayList<>(List.of(user.type(), user.principal().getName()));
        parts.addAll(user.roles());
        if (parts.stream().anyMatch(part -> part.contains(SEPARATOR))) {
            throw new IllegalArgumentException("the name of the user or of a role has a line break");
        }
        if (request.getSession(false) != null) {
            request.changeSessionId();
        }
        WebSession session = request.getSession();
        session.note(USER, String.join(SEPARATOR, parts));
        return session;
    }

    static void forget(HttpRequest request) {
        if (request.getSession(false) instanceof WebSession session) {
            session.note(USER, null);
            request.view().context().listeners().loggedOut(session);
        }
    }
}
