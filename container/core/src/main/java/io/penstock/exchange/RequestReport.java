package io.penstock.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.events.CloseCause;
import io.penstock.events.ConnectionEvents;
import io.penstock.events.Notes;
import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import io.penstock.events.RequestSummary.Outcome;
import io.penstock.events.Side;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.pipe.ResponsePipe;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.Reactor;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reports the progress of one request to the listener ({@link ConnectionEvents}), and measures the times and bytes of the request.
 *
 * <p>Thread: any. The listener is called under the monitor. So the listener receives the events of one request one after the other, and no
 * event after the end of the request.
 *
 * <pre>
 *   HEAD --bodyExpected--> BODY --queued--> QUEUE --taken--> SERVICE --responseComplete--> DRAIN --sent--> ended
 *     +---------------queued------------------^                                              ^
 *   HEAD, BODY, QUEUE --responseComplete, when the request is refused------------------------+
 *   any --lost, over--> ended
 * </pre>
 */
public final class RequestReport implements RequestObserver {

    /** The phases of a request that are timed. */
    private enum TimedPhase {
        HEAD,
        BODY,
        QUEUE,
        SERVICE,
        DRAIN
    }

    /** The progress that the listener knows: the request is in progress, the client is gone, or the request has ended. */
    private enum Reported {
        GOING_ON,
        GONE,
        ENDED
    }

    private final ServerResources server;
    private final Reactor clock;
    private final ResponsePipe out;
    private final Request request;
    private final long began;

    // The nanoseconds that the request has spent in each phase.
    @GuardedBy("this")
    private long head;

    @GuardedBy("this")
    private long body;

    @GuardedBy("this")
    private long queue;

    @GuardedBy("this")
    private long service;

    @GuardedBy("this")
    private long drain;

    @GuardedBy("this")
    private TimedPhase phase = TimedPhase.HEAD;

    @GuardedBy("this")
    private long since;

    @GuardedBy("this")
    private Reported reported = Reported.GOING_ON;

    @GuardedBy("this")
    private Outcome outcome = Outcome.ANSWERED;

    @GuardedBy("this")
    private int status;

    @GuardedBy("this")
    private String reason = "";

    @GuardedBy("this")
    private String user = "";

    @GuardedBy("this")
    private long received;

    @GuardedBy("this")
    private long requestOnDisk;

    @GuardedBy("this")
    private long responseOnDisk;

    // The reservation of the head, if the exchange is over. The request has a reference to the head.
    @GuardedBy("this")
    private int headKept;

    // The position of the response's first byte among all bytes of its pipe; -1 before the head is put into the pipe.
    @GuardedBy("this")
    private long responseBegins = -1;

    // What listeners want to know in addition; null before the first value.
    @GuardedBy("this")
    private @Nullable RequestNotes notes;

    private RequestReport(ServerResources server, Reactor clock, ResponsePipe out, Request request, long began) {
        this.server = server;
        this.clock = clock;
        this.out = out;
        this.request = request;
        this.began = began;
        this.since = began;
        events().headArrived(request);
    }

    private ConnectionEvents events() {
        return server.events();
    }

    /**
     * Begins the report of a request whose head has arrived. Called only if the request needs an observer ({@link
     * ServerResources#followsNow}).
     *
     * @param stream the stream of the request, whose writer has the pipe of the response
     * @param number the number of the request on its connection, from 1
     * @param head the head of the request; null if the request line could not be parsed
     * @param forwarded the client that a trusted proxy has described; null if the client is the peer of the link
     * @param began the time when the request's first byte was read, by the reactor's clock
     */
    public static RequestReport begin(
            RunningExchange.Stream stream,
            long number,
            @Nullable RequestHead head,
            @Nullable Peer forwarded,
            long began) {
        Link link = stream.link();
        return new RequestReport(
                stream.server(),
                link.reactor(),
                stream.writer().pipe(),
                request(stream.id(), number, link, head, forwarded),
                began);
    }

    /**
     * Begins the report of a request that is refused without being read, since its connection is refused.
     *
     * @param out the pipe of the response
     * @param id the name of the connection
     */
    public static RequestReport ofRefusedConnection(ServerResources server, Link link, ResponsePipe out, String id) {
        Reactor clock = link.reactor();
        return new RequestReport(server, clock, out, request(id, 1, link, null, null), clock.now());
    }

    private static Request request(
            String id, long number, Link link, @Nullable RequestHead head, @Nullable Peer forwarded) {
        SocketAddress remote = forwarded == null ? link.remote() : forwarded.remote();
        boolean secure = forwarded == null ? link.tls() != null : forwarded.secure();
        return head == null
                ? new Request(id, number, remote, "", "", "", name -> Optional.empty(), secure)
                : new Request(
                        id,
                        number,
                        remote,
                        head.method(),
                        head.target().raw(),
                        head.version().text(),
                        name -> Optional.ofNullable(head.fields().first(name)),
                        secure);
    }

    @Override
    public String describe() {
        return request.method().isEmpty() ? "" : request.toString();
    }

    // ---- arriving

    @Override
    public synchronized void bodyExpected() {
        enter(TimedPhase.BODY);
    }

    @Override
    public synchronized void received(long bytes) {
        received = bytes;
    }

    @Override
    public synchronized void bodyArrived(long bytes) {
        received = bytes;
        if (isOpen()) {
            events().bodyArrived(request, bytes);
        }
    }

    @Override
    public synchronized void spilled(Side side, long bytes) {
        switch (side) {
            case REQUEST -> requestOnDisk += bytes;
            case RESPONSE -> responseOnDisk += bytes;
        }
        if (isOpen()) {
            events().spilled(request, side, bytes);
        }
    }

    @Override
    public synchronized void waits(Side side) {
        if (isOpen()) {
            events().waits(request, side);
        }
    }

    @Override
    public synchronized void resumed(Side side) {
        if (isOpen()) {
            events().resumed(request, side);
        }
    }

    @Override
    public synchronized void queued() {
        if (isOpen()) {
            enter(TimedPhase.QUEUE);
            events().queued(request);
        }
    }

    // ---- answered

    @Override
    public synchronized void taken() {
        if (isOpen()) {
            enter(TimedPhase.SERVICE);
            events().taken(request, queue);
        }
    }

    @Override
    public synchronized void user(String name) {
        user = name;
    }

    @Override
    public void session(String id) {
        if (server.wanted().session()) {
            note(RequestNotes.ofSession(server.wanted()), id);
        }
    }

    @Override
    public void attribute(String name, @Nullable Object value) {
        int place = RequestNotes.ofAttribute(server.wanted(), name);
        if (place >= 0) {
            note(place, value == null ? null : RequestNotes.text(value));
        }
    }

    private synchronized void note(int place, @Nullable String value) {
        RequestNotes known = notes;
        if (!isOpen() || known == null && value == null) {
            return;
        }
        if (known == null) {
            known = new RequestNotes(server.wanted(), server.headBudget());
            notes = known;
        }
        known.set(place, value);
    }

    @Override
    public synchronized @Nullable ServerTiming responding(int newStatus, Fields fields) {
        status = newStatus;
        responseBegins = out.handedOver();
        List<String> wanted = server.wanted().responseFields();
        for (int i = 0; i < wanted.size(); i++) {
            note(i, fields.first(wanted.get(i)));
        }
        if (isOpen()) {
            events().responding(request, newStatus);
        }
        return server.sendsServerTiming() ? timing() : null;
    }

    @GuardedBy("this")
    private ServerTiming timing() {
        long serviceUntilNow = phase == TimedPhase.SERVICE ? service + clock.nanos() - since : service;
        return new ServerTiming(head, body, queue, serviceUntilNow);
    }

    @Override
    public synchronized void refused(int newStatus, String why) {
        outcome = Outcome.REFUSED;
        status = newStatus;
        reason = why;
        if (notes != null) {
            notes.forgetResponse();
        }
    }

    @Override
    public synchronized void aborted(String why) {
        if (reason.isEmpty()) {
            reason = why;
        }
    }

    @Override
    public synchronized void responseComplete() {
        if (isOpen()) {
            enter(TimedPhase.DRAIN);
        }
    }

    // ---- ended

    @Override
    public synchronized void sent(long end) {
        end(outcome, end);
    }

    @Override
    public synchronized boolean keepsHead(int reservation) {
        if (isOpen()) {
            headKept = reservation;
        }
        return isOpen();
    }

    @Override
    public synchronized void gone(String cause) {
        if (reported == Reported.GOING_ON) {
            reported = Reported.GONE;
            outcome = unsent();
            if (reason.isEmpty()) {
                reason = cause;
            }
            events().gone(request, cause);
        }
    }

    @Override
    public synchronized void lost(String cause) {
        gone(cause);
        end(unsent(), out.sent());
    }

    /**
     * The outcome of a request whose stream has ended before the whole response was sent. If a failure of the server has ended the stream,
     * for example because a file could not be read, the outcome is {@code ABORTED}. Otherwise the outcome is {@code GONE}.
     */
    private Outcome unsent() {
        boolean serverFailed =
                out.failure() instanceof ConnectionClosed closed && closed.reason() == CloseCause.INTERNAL_ERROR;
        return serverFailed ? Outcome.ABORTED : Outcome.GONE;
    }

    @Override
    public void over(boolean complete) {
        if (complete) {
            // The request ends later, when the last byte of its response has been sent.
            return;
        }
        IOException failure = out.failure();
        if (failure != null) {
            lost(String.valueOf(failure.getMessage()));
        } else {
            givenUp();
        }
    }

    private synchronized void givenUp() {
        end(Outcome.ABORTED, out.sent());
    }

    @GuardedBy("this")
    private void end(Outcome how, long sentUpTo) {
        if (!isOpen()) {
            return;
        }
        // This call adds the time since the last change of phase to the total time of the current phase.
        enter(phase);
        reported = Reported.ENDED;
        server.headBudget().giveBack(headKept);
        RequestNotes noted = notes;
        if (noted != null) {
            noted.release();
        }
        long sent = responseBegins < 0 ? 0 : Math.max(0, sentUpTo - responseBegins);
        RequestSummary summary = new RequestSummary(
                request,
                user,
                how,
                status,
                reason,
                new RequestSummary.Volume(received, sent, requestOnDisk, responseOnDisk),
                new RequestSummary.Times(clock.onTheWall(began), head, body, queue, service, drain));
        events().ended(summary, noted == null ? Notes.NONE : noted);
    }

    @GuardedBy("this")
    private boolean isOpen() {
        return reported != Reported.ENDED;
    }

    @GuardedBy("this")
    private void enter(TimedPhase next) {
        long now = clock.nanos();
        long spent = now - since;
        switch (phase) {
            case HEAD -> head += spent;
            case BODY -> body += spent;
            case QUEUE -> queue += spent;
            case SERVICE -> service += spent;
            case DRAIN -> drain += spent;
        }
        since = now;
        phase = next;
    }
}
