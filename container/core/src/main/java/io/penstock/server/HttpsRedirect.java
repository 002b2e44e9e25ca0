package io.penstock.server;

import io.penstock.challenges.HttpChallenges;
import io.penstock.exchange.Admission;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.limits.Https;
import io.penstock.limits.Key;
import org.jspecify.annotations.Nullable;

/**
 * Answers the requests of the plain-text listener of {@code redirect-port}. Each request is redirected to the same URL with HTTPS.
 *
 * <p>Only the open challenges of ACME are answered, because a certificate authority may not follow a redirect to a host without a
 * certificate. They are answered to clients of all addresses: nobody knows the addresses from which an authority asks. No request at this
 * listener reaches an application.
 *
 * <p>Thread: reactors, except for {@link #target}.
 */
final class HttpsRedirect implements Admission {
    private static final String REASON = Key.REDIRECT_PORT.id();
    private static final Fields BYTES = new FieldList().add("Content-Type", "application/octet-stream");

    private final HttpChallenges challenges;

    /** The public port of HTTPS. It is set before connections are accepted. */
    private volatile int port = Https.PORT;

    HttpsRedirect(HttpChallenges challenges) {
        this.challenges = challenges;
    }

    /** @param publicPort the port at which clients reach the TLS listener */
    void target(int publicPort) {
        port = publicPort;
    }

    @Override
    public boolean isForAllAddresses(RequestHead head) {
        return challengeAnswer(head) != null;
    }

    /** The answer to an open challenge; null for every other request. */
    private @Nullable String challengeAnswer(RequestHead head) {
        return isRead(head) ? challenges.answer(head.target().path()) : null;
    }

    @Override
    public Verdict admit(RequestHead head) {
        String answer = challengeAnswer(head);
        if (answer != null) {
            return new Answered(200, BYTES, answer, "acme-challenge");
        }
        String host = head.host();
        if (host == null) {
            return new Answered(
                    400, Fields.EMPTY, "This port redirects to HTTPS, and the request names no host\n", REASON);
        }
        Fields location = new FieldList().add("Location", location(host, head.target()));
        // Every client and crawler understands 301. For methods other than GET and HEAD, the status must be 308. After
        // a 301, a client may change the method and leave out the body.
        return new Answered(isRead(head) ? 301 : 308, location, "This address has moved to HTTPS\n", REASON);
    }

    private static boolean isRead(RequestHead head) {
        return head.method().equals("GET") || head.method().equals("HEAD");
    }

    private String location(String host, RequestTarget target) {
        String origin = "https://" + host + (port == Https.PORT ? "" : ":" + port);
        if (target.form() == RequestTarget.Form.ASTERISK) {
            // RFC 9112 section 3.2.4: a request "OPTIONS *" is for the whole server and has no path.
            return origin;
        }
        return origin + target.path() + (target.query() == null ? "" : "?" + target.query());
    }
}
