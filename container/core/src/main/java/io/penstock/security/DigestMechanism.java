package io.penstock.security;

import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.limits.LoginLimits;
import io.penstock.request.HttpRequest;
import io.penstock.request.Identity;
import io.penstock.time.Saturated;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Login by Digest authentication (RFC 7616). The client chooses SHA-256 or MD5. Each answer is valid for one request. */
final class DigestMechanism implements Mechanism {
    private static final String SCHEME = "Digest";

    private final Logins logins;
    private final String realm;
    private final String quotedRealm;
    private final DigestNonces nonces;

    /** Whether the client can repeat the request without asking the user for the password again. */
    private enum Retry {
        WITH_USER,
        WITHOUT_USER
    }

    /** @param context the name of the context */
    DigestMechanism(Logins logins, String realm, String context) {
        this.logins = logins;
        this.realm = realm;
        this.quotedRealm = Authorization.quoted(realm);
        this.nonces = new DigestNonces(
                Saturated.nanos(logins.limits().nonceTimeout()),
                logins.limits().nonces(),
                key(logins.limits(), context),
                InstantSource.system(),
                logins::count);
    }

    private static byte[] key(LoginLimits limits, String context) {
        return limits.sharesNonces() ? DigestNonces.sharedKey(limits.digestSecret(), context) : DigestNonces.ownKey();
    }

    @Override
    public String type() {
        return HttpServletRequest.DIGEST_AUTH;
    }

    @Override
    public Fields challenge() {
        return challenge(Retry.WITH_USER);
    }

    private Fields challenge(Retry retry) {
        String nonce = nonces.next();
        List<String> values = new ArrayList<>();
        for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
            values.add(SCHEME + " realm=" + quotedRealm + ", qop=\"auth\", algorithm=" + algorithm.id() + ", nonce=\""
                    + nonce + "\", charset=UTF-8" + (retry == Retry.WITHOUT_USER ? ", stale=true" : ""));
        }
        return Authorization.challenge(values);
    }

    /** The text in the form in which clients send it back: each char is one octet of UTF-8. */
    private static String octets(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    @Override
    public boolean hasCredentials(RequestHead head) {
        return Authorization.credentials(head, SCHEME) != null;
    }

    @Override
    public @Nullable Identity authenticate(HttpRequest request, HttpServletResponse response, Moment moment)
            throws IOException, ServletException {
        RequestHead head = request.state().exchange().head();
        String credentials = Authorization.credentials(head, SCHEME);
        DigestAnswer answer = credentials == null ? null : DigestAnswer.parse(credentials);
        if (answer == null || !answer.realm().equals(octets(realm))) {
            Authorization.sendChallenge(response, challenge());
            return null;
        }
        if (!answer.isFor(head)) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST);
            return null;
        }
        Attempt attempt = logins.withDigest(
                request,
                type(),
                answer.user(),
                realm,
                answer.algorithm(),
                secret -> answer.isMadeWith(secret, head.method()));
        if (attempt instanceof Attempt.LockedOut lockedOut) {
            Authorization.sendLockedOut(response, lockedOut.seconds());
            return null;
        }
        if (!(attempt instanceof Attempt.Succeeded succeeded)) {
            Authorization.sendChallenge(response, challenge());
            return null;
        }
        if (!nonces.use(answer.nonce(), answer.count())) {
            Authorization.sendChallenge(response, challenge(Retry.WITHOUT_USER));
            return null;
        }
        return succeeded.user();
    }
}
