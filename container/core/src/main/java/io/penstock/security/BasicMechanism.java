package io.penstock.security;

import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.request.HttpRequest;
import io.penstock.request.Identity;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Login by name and password. The client sends them with each request (RFC 7617). */
final class BasicMechanism implements Mechanism {
    private static final String SCHEME = "Basic";

    private final Logins logins;
    private final Fields challenge;

    /** @param realm the name that clients show to their users */
    BasicMechanism(Logins logins, String realm) {
        this.logins = logins;
        challenge = Authorization.challenge(
                List.of(SCHEME + " realm=" + Authorization.quoted(realm) + ", charset=\"UTF-8\""));
    }

    @Override
    public String type() {
        return HttpServletRequest.BASIC_AUTH;
    }

    @Override
    public Fields challenge() {
        return challenge;
    }

    @Override
    public boolean hasCredentials(RequestHead head) {
        return Authorization.credentials(head, SCHEME) != null;
    }

    @Override
    public @Nullable Identity authenticate(HttpRequest request, HttpServletResponse response, Moment moment)
            throws IOException, ServletException {
        String pair = pair(request.state().exchange().head());
        int colon = pair == null ? -1 : pair.indexOf(':');
        if (pair == null || colon < 0 || Authorization.hasControls(pair)) { // RFC 7617 section 2
            Authorization.sendChallenge(response, challenge);
            return null;
        }
        Attempt attempt = logins.withPassword(request, type(), pair.substring(0, colon), pair.substring(colon + 1));
        if (attempt instanceof Attempt.Succeeded succeeded) {
            return succeeded.user();
        }
        if (attempt instanceof Attempt.LockedOut lockedOut) {
            Authorization.sendLockedOut(response, lockedOut.seconds());
        } else if (attempt instanceof Attempt.Busy) {
            Authorization.sendBusy(response);
        } else {
            Authorization.sendChallenge(response, challenge);
        }
        return null;
    }

    /** The name, a colon and the password as one text; null if the request has no well-formed credentials. */
    private static @Nullable String pair(RequestHead head) {
        String encoded = Authorization.credentials(head, SCHEME);
        if (encoded == null) {
            return null;
        }
        try {
            return Authorization.text(Base64.getDecoder().decode(encoded));
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
    }
}
