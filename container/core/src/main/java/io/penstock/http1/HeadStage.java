package io.penstock.http1;

import io.penstock.events.CloseCause;
import io.penstock.exchange.Admission;
import io.penstock.exchange.CannedResponse;
import io.penstock.exchange.DispatchRule.Arrived;
import io.penstock.exchange.Expectation;
import io.penstock.exchange.ForwardedRequests;
import io.penstock.exchange.HeadBudget;
import io.penstock.exchange.HeadRules;
import io.penstock.exchange.IncomingBody;
import io.penstock.exchange.Peer;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.http.BodyFraming;
import io.penstock.http.DecidingFields;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestHeadParser;
import io.penstock.http.RequestTarget;
import io.penstock.http.Violation;
import io.penstock.limits.Timeouts;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Reactor;
import io.penstock.time.Saturated;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one request head, and decides what happens to the request. The request is refused, or goes to the workers, or a {@link BodyStage}
 * reads its body. A connection has a stage only while a head arrives. After a complete head, the same stage can read the head of another
 * connection ({@link Shared}). So the stage has no reference to a connection. Each caller passes its own {@link RequestReader}.
 *
 * <p>Thread: the reactor. Owns the bytes that the head has reserved in the {@link ServerResources#headBudget}. If the request goes to the
 * workers, the request takes over this reservation.
 */
final class HeadStage {

    // Bytes of memory. HeadMemoryTest compares them with the heap.

    /** The objects of a request whose head is incomplete: this stage and its parser. */
    private static final int OF_PART = 500;

    /** The halves of a connection, which an idle connection makes when bytes arrive. */
    private static final int OF_HALVES = 200;

    /** The objects of a request whose head is complete, until the request ends. */
    private static final int OF_REQUEST = 1000;

    /** The objects of the body of a request. */
    private static final int OF_BODY = 1200;

    /**
     * What all connections of one reactor share, so that each connection needs only one reference. Among this is a stage: most heads arrive
     * complete in one read, and for these heads all connections use the same stage, one after the other. A head that arrives in pieces keeps
     * its stage until the head is complete. Meanwhile other heads get another stage.
     *
     * <p>Thread: the reactor. The fields that are not private: any. From {@link #begin} to {@link #end} a stage belongs to one connection.
     * The stage of a head that is refused, or that never becomes complete, is not used again.
     */
    static final class Shared {
        final ServerResources server;

        /** Writes the heads of responses; all reactors of a server use the same object. */
        final HeadWriter heads;

        /** The bodies that are arriving. */
        final UnfinishedBodies unfinished;

        /** How long the first request of a connection may take to arrive, and each other head. */
        final long headNanos;

        final long keepAliveNanos;
        private final HeadRules rules;
        private final Reactor reactor;
        private @Nullable HeadStage free;

        /** @param rules the rules for the heads of requests */
        Shared(
                ServerResources server,
                HeadWriter heads,
                HeadRules rules,
                Reactor reactor,
                UnfinishedBodies unfinished) {
            Timeouts timeouts = server.config().timeouts();
            this.server = server;
            this.heads = heads;
            this.rules = rules;
            this.reactor = reactor;
            this.unfinished = unfinished;
            this.headNanos = Saturated.nanos(timeouts.head());
            this.keepAliveNanos = Saturated.nanos(timeouts.keepAlive());
        }

        /**
         * Returns a stage for a head whose first bytes have just been read.
         *
         * @param behindOthers whether other requests of the client wait behind the request that is being answered
         */
        HeadStage begin(boolean behindOthers) {
            assert reactor.isCurrent();
            HeadStage lent = free;
            free = null;
            if (lent == null) {
                lent = new HeadStage(this);
            }
            lent.began = reactor.now();
            lent.ahead = behindOthers;
            lent.awaited = false;
            lent.number = 0;
            return lent;
        }

        /**
         * Called when the head of this stage is complete. The connection does not use the stage any more. Returns whether the request asks
         * for the close of the connection. If so, the client sends no further request.
         */
        boolean end(HeadStage used) {
            assert reactor.isCurrent();
            assert used.held == 0 && !used.isInside() : "the stage still has a part of its head";
            used.observer = RequestObserver.NONE;
            used.forwarded = null;
            used.complete = null;
            free = used;
            return used.last;
        }
    }

    private final Shared shared;
    private final ServerResources server;
    private final @Nullable ForwardedRequests proxies; // null if the peer is not a trusted proxy
    private final RequestHeadParser parser;

    private long began; // when its first bytes were read, by the reactor's clock
    private boolean ahead; // whether the client has sent this request ahead of others
    private int held; // reservation of this head in the budget of heads
    private boolean awaited; // whether the deadline for the head is set

    // Values of the complete head.
    private long number;
    private RequestObserver observer = RequestObserver.NONE;
    private @Nullable RequestHead complete; // the head itself
    private boolean last;
    private ForwardedRequests.@Nullable Forwarded forwarded;

    private HeadStage(Shared shared) {
        this.shared = shared;
        this.server = shared.server;
        this.proxies = shared.rules.proxies();
        this.parser = new RequestHeadParser(server.config().messages());
    }

    /** Whether the head has arrived only in part. */
    boolean isInside() {
        return parser.isInside();
    }

    /**
     * Takes bytes of the head. Returns whether the head is complete. If so, the request has gone to the workers, or has been refused, or
     * its body follows.
     *
     * @param in the reading half of the connection. The stage uses the deadline of {@code in} while the head arrives
     */
    boolean feed(RequestReader in, ByteBuffer source) throws IOException, Violation {
        RequestHead head = parser.parse(source);
        if (head == null && !parser.isInside()) {
            // Only an empty line has come (RFC 9112 section 2.2). It begins no request, so the connection stays idle.
            release();
            if (awaited) {
                in.connection().awaitRequest(); // the line has come in two parts
            }
            return false;
        }
        int bytes = (head == null ? OF_PART : OF_REQUEST) + parser.held();
        hold(bytes);
        if (head == null) {
            if (!awaited) {
                awaited = true;
                in.deadline().in(shared.headNanos);
            }
            return false;
        }
        Http1Connection connection = in.connection();
        number = connection.countRequest();
        complete = head;
        last = !head.persists();
        if (proxies == null) {
            observer = connection.observe(number, head, null, began);
        } else {
            askProxy(in, head, proxies);
        }
        admit(connection, in, head, source, bytes);
        release(); // no effect if a request or its answer has taken over the reservation
        return true;
    }

    /** Finds the client that has sent the request, from the fields that a trusted proxy has added. */
    private void askProxy(RequestReader in, RequestHead head, ForwardedRequests reader) throws Violation {
        Peer client = null;
        try {
            forwarded = reader.read(head, in.connection().peer());
            client = client();
        } finally {
            // A malformed request gets an observer, too.
            observer = in.connection().observe(number, head, client, began);
        }
    }

    /** The client for which a proxy has sent the request; null if no proxy names a client. */
    private @Nullable Peer client() {
        return forwarded == null ? null : forwarded.client();
    }

    /** Reserves memory for the head and what is made of it. Without a bound, heads whose requests never end could fill the heap. */
    private void hold(int bytes) throws Violation {
        held = server.headBudget().reserve(held, ahead ? bytes : bytes + OF_HALVES, ahead);
    }

    /** Gives the reservation of the head back. */
    void release() {
        if (held != 0) {
            server.headBudget().giveBack(held);
            held = 0;
        }
    }

    /** Passes the reservation on to an answer that needs no worker. The answer can be parked behind a long response. */
    HeadBudget.Kept keep() {
        HeadBudget.Kept kept = new HeadBudget.Kept(server.headBudget(), held);
        held = 0;
        return kept;
    }

    // ---- admission

    /** @param bytes the memory of the head and of what was made of it so far */
    private void admit(Http1Connection connection, RequestReader in, RequestHead sent, ByteBuffer source, int bytes)
            throws IOException, Violation {
        RequestHead head = forwarded == null ? sent : forwarded.head();
        if (head.target().form() == RequestTarget.Form.AUTHORITY) {
            throw new Violation(501, "CONNECT is for proxies");
        }
        BodyFraming framing = BodyFraming.of(head);
        boolean waits = head.deciding().has(DecidingFields.Name.EXPECT)
                && Expectation.isContinue(head)
                && !source.hasRemaining();
        Admission.Verdict verdict = shared.rules.decide(connection, sent, forwarded, framing.length());
        if (verdict instanceof Admission.Canned canned) {
            answer(in, head, framing, canned);
            return;
        }
        Admission.Admitted admitted = (Admission.Admitted) verdict;
        if (framing.kind() == BodyFraming.Kind.NONE) {
            hold(bytes + made(admitted));
            Http1Exchange complete = exchange(connection, head, admitted, null);
            in.awaitUpgradeDecision(complete);
            connection.responses().begin(complete, Arrived.ALL);
        } else {
            hold(bytes + OF_BODY + made(admitted));
            BodyStage body = in.beginBody();
            IncomingBody incoming = body.incoming(admitted, framing, waits, observer);
            body.expect(exchange(connection, head, admitted, incoming), incoming);
        }
    }

    /** The memory of what was made of the head in addition to its own texts. */
    private int made(Admission.Admitted admitted) {
        return admitted.held() + (forwarded == null ? 0 : forwarded.held());
    }

    /** Answers without a worker. */
    private void answer(RequestReader in, RequestHead head, BodyFraming framing, Admission.Canned canned)
            throws IOException {
        // The reservation is passed on before ends(), which drops the reservations of the stage.
        CannedResponse answer = new CannedResponse(canned, head)
                .withPage(server.errorDocuments())
                .observedBy(observer, canned.reason())
                .holding(keep());
        Http1CannedResponse framed = new Http1CannedResponse(answer, ends(in, head, framing));
        ResponseSequence responses = in.connection().responses();
        if (canned.isRefusal()) {
            responses.refuse(framed, canned.reason());
        } else {
            responses.answer(framed);
        }
    }

    /** Returns why the connection ends after the canned response to this head; null if the connection stays open. */
    private @Nullable ConnectionClosed ends(RequestReader in, RequestHead head, BodyFraming framing) {
        CloseCause cause = Http1Response.endsWithCanned(
                head, framing.kind() == BodyFraming.Kind.NONE, server.shutdown().closesConnections());
        if (cause == null) {
            return null;
        }
        in.ignoreRest();
        return new ConnectionClosed(cause);
    }

    private Http1Exchange exchange(
            Http1Connection connection,
            RequestHead head,
            Admission.Admitted admitted,
            @Nullable IncomingBody incoming) {
        Http1Exchange made = new Http1Exchange(connection, number, head, client(), admitted, incoming, held, observer);
        held = 0;
        return made;
    }

    // ---- refused

    /**
     * The observer of the refused request. If the request has no observer yet, makes one.
     *
     * @param known the result of {@link #refusedHead}
     */
    RequestObserver refusedObserver(RequestReader in, @Nullable RequestHead known) {
        return observer == RequestObserver.NONE
                ? in.connection().observe(in.connection().requests() + 1, known, null, began)
                : observer;
    }

    /**
     * The head of the refused request. If the fields are incomplete, the head has no fields. The result is null if the request line is
     * incomplete, or if the budget of heads has no room for it: the answer may have to wait behind a long response.
     */
    @Nullable
    RequestHead refusedHead() {
        RequestHead line = complete == null ? parser.unfinished() : complete;
        try {
            if (line != null) {
                hold(OF_PART + line.target().held());
            }
            return line;
        } catch (Violation full) {
            return null;
        }
    }
}
