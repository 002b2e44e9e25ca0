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
 * Answers the requests of the plain listener beside HTTPS: each is redirected to the same address by HTTPS. It also answers open challenges
 * of ACME. Requests for other challenges go to the applications without a redirect: another ACME client may have put the answer into a file
 * of an application. An authority could not follow a redirect to a host that has no certificate yet.
 *
 * <p>Thread: reactors, except for {@link #target}.
 */
final class HttpsRedirect implements Admission {
    private static final String REASON = Key.REDIRECT_PORT.id();
    private static final Fields BYTES = new FieldList().add("Content-Type", "application/octet-stream");

    private final HttpChallenges challenges;
    private final Admission applications;

    /** Set before connections are accepted. */
    private volatile int port = Https.PORT;

    /** @param applications decide on the paths of challenges that are not open */
    HttpsRedirect(HttpChallenges challenges, Admission applications) {
        this.challenges = challenges;
        this.applications = applications;
    }

    /** @param publicPort by which clients reach the listener with TLS */
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
        // Every client and crawler understands 301. But only 308 keeps the method and the body of a request that is
        // neither GET nor HEAD.
        return new Answered(isRead(head) ? 301 : 308, location, "This address has moved to HTTPS\n", REASON);
    }

    private static boolean isRead(RequestHead head) {
        return head.method().equals("GET") || head.method().equals("HEAD");
    }

    private String location(String host, RequestTarget target) {
        String origin = "https://" + host + (port == Https.PORT ? "" : ":" + port);
        if (target.form() == RequestTarget.Form.ASTERISK) {
            return origin; // RFC 9112 section 3.2.4: without a path, OPTIONS is for the whole server
        }
        return origin + target.path() + (target.query() == null ? "" : "?" + target.query());
    }
}
