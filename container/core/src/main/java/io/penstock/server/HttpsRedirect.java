package io.penstock.server;

import io.penstock.challenges.HttpChallenges;
import io.penstock.exchange.Admission;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.http.Violation;
import io.penstock.limits.Https;
import io.penstock.limits.Key;

/**
 * Answers the requests of the plain-text listener of {@code redirect-port}. Each request is redirected to the same URL with HTTPS.
 *
 * <p>Requests for challenges of ACME are not redirected, because a certificate authority cannot follow a redirect to a host without a
 * certificate. This class answers the open challenges of this server. The applications answer requests for other challenges: another ACME
 * client may have put the answer into a file of an application.
 *
 * <p>Thread: reactors, except for {@link #target}.
 */
final class HttpsRedirect implements Admission {
    private static final String REASON = Key.REDIRECT_PORT.id();
    private static final Fields BYTES = new FieldList().add("Content-Type", "application/octet-stream");

    private final HttpChallenges challenges;
    private final Admission applications;

    /** The public port of HTTPS. It is set before connections are accepted. */
    private volatile int port = Https.PORT;

    /** @param applications the admission of the applications, for challenges that are not open challenges of this server */
    HttpsRedirect(HttpChallenges challenges, Admission applications) {
        this.challenges = challenges;
        this.applications = applications;
    }

    /** @param publicPort the port at which clients reach the TLS listener */
    void target(int publicPort) {
        port = publicPort;
    }

    @Override
    public Verdict admit(RequestHead head) throws Violation {
        String path = head.target().path();
        if (isRead(head) && HttpChallenges.isPath(path)) {
            String answer = challenges.answer(path);
            return answer == null ? applications.admit(head) : new Answered(200, BYTES, answer, "acme-challenge");
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
