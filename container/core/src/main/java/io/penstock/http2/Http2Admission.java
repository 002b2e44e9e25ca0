package io.penstock.http2;

import io.penstock.exchange.Admission;
import io.penstock.exchange.CannedResponse;
import io.penstock.exchange.DispatchRule;
import io.penstock.exchange.DispatchRule.Arrived;
import io.penstock.exchange.Expectation;
import io.penstock.exchange.ForwardedRequests;
import io.penstock.exchange.HeadBudget;
import io.penstock.exchange.HeadRules;
import io.penstock.exchange.IncomingBody;
import io.penstock.exchange.Peer;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.RequestReport;
import io.penstock.exchange.ServerResources;
import io.penstock.http.BodyFraming;
import io.penstock.http.DecidingFields;
import io.penstock.http.FieldSection;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Decides on the requests of new streams by their heads (RFC 9113 section 8.3), and begins them. All connections of a reactor share one
 * object of this class.
 *
 * <p>Thread: the reactor.
 */
final class Http2Admission {
    // Bytes of memory.

    /** The objects of a stream, until it is over: also while its response waits for the client. */
    private static final int OF_STREAM = 900;

    /** The objects of a request, until its call has ended. */
    private static final int OF_REQUEST = 600;

    /** The objects of the body of a request. */
    private static final int OF_BODY = 1200;

    private final ServerResources server;
    private final HeadRules rules;
    private final Http2Heads heads;

    // What is reserved for the head that is being decided on, until its exchange owns it.
    private int headHeld;

    Http2Admission(ServerResources server, HeadRules rules, Http2Heads heads) {
        this.server = server;
        this.rules = rules;
        this.heads = heads;
    }

    /**
     * Begins the request of a new stream, or answers it.
     *
     * @param ends whether the stream ends with its head
     * @param others whether the client has other requests. While half of the budget of heads is used, they count as sent ahead
     */
    void begin(Http2Stream stream, FieldSection fields, boolean ends, boolean others) throws IOException {
        boolean ahead = others && server.headBudget().isHalfUsed();
        RequestHead head = null;
        headHeld = 0;
        RequestObserver observer = RequestObserver.NONE;
        try {
            stream.holds(server.headBudget().reserve(0, OF_STREAM, false));
            head = fields.request();
            Priority priority = Priority.of(head.fields().first("priority"));
            String protocol = fields.protocol();
            boolean tunnel = protocol != null;
            stream.output().priority(tunnel ? new Priority(priority.urgency(), true) : priority);
            headHeld = server.headBudget().reserve(0, OF_REQUEST + fields.held(head), ahead);
            ForwardedRequests proxies = rules.proxies();
            ForwardedRequests.Forwarded forwarded = proxies == null ? null : proxies.read(head, stream.peer());
            if (forwarded != null) {
                stream.client().standsForMany();
            }
            observer = observe(stream, head, forwarded == null ? null : forwarded.client());
            if (tunnel && !FieldSection.WEBSOCKET.equals(protocol)) {
                throw new Violation(501, "CONNECT with a protocol that is not known");
            }
            admit(stream, head, forwarded, observer, ends, tunnel, ahead);
        } catch (Violation violation) {
            refuse(stream, head, violation, observer, ends);
        } finally {
            if (headHeld != 0) {
                server.headBudget().giveBack(headHeld);
                headHeld = 0;
            }
        }
    }

    private RequestObserver observe(Http2Stream stream, @Nullable RequestHead head, @Nullable Peer client) {
        return server.followsNow()
                ? RequestReport.begin(
                        stream,
                        stream.number(),
                        head,
                        client,
                        stream.link().reactor().now())
                : RequestObserver.NONE;
    }

    private void refuse(
            Http2Stream stream, @Nullable RequestHead head, Violation violation, RequestObserver known, boolean ends)
            throws IOException {
        Key limit = violation.limit();
        if (limit != null) {
            server.reached(limit);
        }
        String reason = String.valueOf(violation.getMessage());
        server.events().refused(stream.id(), violation.status(), reason);
        if (limit == Key.HEAD_BUDGET) {
            // An answer that waits for its client would take memory, too.
            reset(stream, ErrorCode.REFUSED_STREAM, reason, known);
            return;
        }
        RequestObserver observer = known == RequestObserver.NONE ? observe(stream, head, null) : known;
        endOfHead(stream, ends);
        CannedResponse answer =
                new CannedResponse(violation.status(), Fields.EMPTY, head).withPage(server.errorDocuments());
        answer(stream, answer.observedBy(observer, reason));
    }

    private static void reset(Http2Stream stream, ErrorCode code, String reason, RequestObserver observer)
            throws IOException {
        stream.reset(code, reason);
        observer.over(false);
    }

    /** Answers without a worker. The reservation of the head belongs to the answer. */
    private void answer(Http2Stream stream, CannedResponse answer) throws IOException {
        HeadBudget.Kept kept = new HeadBudget.Kept(server.headBudget(), headHeld);
        headHeld = 0;
        stream.answer(answer.holding(kept));
    }

    private static void endOfHead(Http2Stream stream, boolean ends) throws IOException {
        if (ends) {
            try {
                stream.endInput(Fields.EMPTY);
            } catch (Violation never) {
                throw new IllegalStateException("a stream without a body has been refused", never);
            }
        }
    }

    private void admit(
            Http2Stream stream,
            RequestHead sent,
            ForwardedRequests.@Nullable Forwarded forwarded,
            RequestObserver observer,
            boolean ends,
            boolean tunnel,
            boolean ahead)
            throws IOException, Violation {
        RequestHead head = forwarded == null ? sent : forwarded.head();
        if (head.target().form() == RequestTarget.Form.AUTHORITY) {
            throw new Violation(501, "CONNECT is for proxies");
        }
        BodyFraming framing = BodyFraming.of(head);
        boolean declares = head.deciding().has(DecidingFields.Name.CONTENT_LENGTH);
        if (tunnel && (ends || declares)) {
            throw new Violation(400, "extended CONNECT with an end or a length");
        }
        if (ends && framing.length() > 0) {
            String mistake = "a body that is shorter than its Content-Length";
            reset(stream, ErrorCode.PROTOCOL_ERROR, mistake, observer);
            return;
        }
        boolean whole = ends || tunnel;
        boolean waits = !whole && head.deciding().has(DecidingFields.Name.EXPECT) && Expectation.isContinue(head);
        Admission.Verdict verdict = rules.decide(stream, sent, forwarded, whole ? 0 : framing.length());
        if (verdict instanceof Admission.Canned canned) {
            if (tunnel && canned.status() < 300) {
                throw new Violation(501, "extended CONNECT of an answer without an application");
            }
            if (canned.isRefusal()) {
                server.events().refused(stream.id(), canned.status(), canned.reason());
            }
            endOfHead(stream, ends);
            CannedResponse answer = new CannedResponse(canned, head).withPage(server.errorDocuments());
            answer(stream, answer.observedBy(observer, canned.reason()));
            return;
        }
        Admission.Admitted admitted = (Admission.Admitted) verdict;
        int made = admitted.held() + (forwarded == null ? 0 : forwarded.held());
        headHeld = server.headBudget().reserve(headHeld, Math.abs(headHeld) + made + (ends ? 0 : OF_BODY), ahead);
        Peer client = forwarded == null ? null : forwarded.client();
        if (whole) {
            Http2Exchange request = new Http2Exchange(stream, heads, head, client, admitted, null, headHeld, observer);
            headHeld = 0;
            if (tunnel) {
                stream.beginTunnel(request);
            } else {
                stream.begin(request);
            }
            return;
        }
        boolean streaming = DispatchRule.dispatches(admitted.mode(), Arrived.HEAD_ONLY);
        Expectation expectation =
                waits ? new Expectation(streaming ? Expectation.State.HELD : Expectation.State.OWED) : Expectation.NONE;
        observer.bodyExpected();
        StreamDecoder decoder = new StreamDecoder(declares ? framing.length() : -1);
        IncomingBody incoming = new IncomingBody(
                server,
                admitted.spoolShare(),
                admitted.mode(),
                decoder,
                declares ? framing.length() : -1,
                server.bodyLimit(admitted),
                expectation,
                observer,
                stream);
        Http2Exchange exchange = new Http2Exchange(stream, heads, head, client, admitted, incoming, headHeld, observer);
        headHeld = 0;
        if (expectation.is(Expectation.State.OWED)) {
            stream.output().head(heads.informational(stream.number(), 100, Fields.EMPTY));
            stream.sendLater();
            expectation.meet();
        }
        stream.begin(exchange, incoming, decoder);
    }
}
