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
 * A login that lasts as long as its session. The login is stored as a note in the session. The application cannot see or change the note. A
 * login changes the session's identifier, which prevents session fixation.
 */
final class SessionLogin {
    private static final String USER = "user";
    private static final String SEPARATOR = "\n";

    private SessionLogin() {}

    /** Whether the client names a session, valid or not: in the head, or perhaps by its TLS session. */
    static boolean mayHaveSession(WebContext context, RequestHead head) {
        return head.deciding().has(DecidingFields.Name.COOKIE)
                || head.target().path().indexOf(';') >= 0
                || context.getEffectiveSessionTrackingModes().contains(SessionTrackingMode.SSL);
    }

    /** The valid session that the client names. */
    static @Nullable WebSession session(HttpRequest request) {
        boolean possible = mayHaveSession(
                request.view().context(), request.state().exchange().head());
        return possible ? request.findSession() : null;
    }

    /**
     * Called before the application responds to an authenticated user. If the session cookie names another node, the client gets a cookie
     * that names this node.
     */
    static void use(HttpRequest request) {
        if (mayHaveSession(request.view().context(), request.state().exchange().head())) {
            request.getSession(false);
        }
    }

    /** The user who has logged in to the session of the request. */
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

    /** Stores the login in the session of the request; makes a session if there is none. */
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
        }
    }
}
