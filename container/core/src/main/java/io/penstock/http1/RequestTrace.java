package io.penstock.http1;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.events.ConnectionEvents;
import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import io.penstock.events.RequestSummary.Outcome;
import io.penstock.events.Side;
import io.penstock.exchange.ServerResources;
import io.penstock.pipe.ResponsePipe;
import io.penstock.reactor.Reactor;

/**
 * Tells the listener what happens to one request, and keeps account of its time and bytes until it ends.
 *
 * <p>Thread: any. The listener is told under the monitor: so the moments of one request come one after the other, none after the
 * last.
 *
 * <pre>
 *   HEAD --expecting--> BODY --queued--> QUEUE --taken--> SERVICE --leaves--> DRAIN --left--> over
 *     +------------queued------------------^                                     ^
 *   HEAD, BODY, QUEUE --leaves, when it is refused--------------------------------+
 *   any --lost, over--> over
 * </pre>
 */
final class RequestTrace extends Trace {

    /** Where the time goes. */
    private enum Stage {
        HEAD,
        BODY,
        QUEUE,
        SERVICE,
        DRAIN
    }

    /** How far the telling is. */
    private enum Told {
        GOES_ON,
        GONE,
        OVER
    }

    private final ConnectionEvents events;
    private final Reactor clock;
    private final ResponsePipe out;
    private final Request request;
    private final long began;
    private final boolean tellsClient;

    // Nanoseconds spent in each stage.
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
    private Stage stage = Stage.HEAD;

    @GuardedBy("this")
    private long since;

    @GuardedBy("this")
    private Told told = Told.GOES_ON;

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

    // Where the response begins among the bytes of its connection; -1 before it does.
    @GuardedBy("this")
    private long responseBegins = -1;

    /**
     * @param out where its response will be
     * @param began when its first byte was read, by the reactor's clock
     */
    RequestTrace(ServerResources server, Reactor clock, ResponsePipe out, Request request, long began) {
        this.events = server.events();
        this.tellsClient = server.sendsServerTiming();
        this.clock = clock;
        this.out = out;
        this.request = request;
        this.began = began;
        this.since = began;
        events.headArrived(request);
    }

    @Override
    String describe() {
        return request.method().isEmpty() ? "" : request.toString();
    }

    // ---- arriving

    @Override
    synchronized void expecting() {
        enter(Stage.BODY);
    }

    @Override
    synchronized void received(long bytes) {
        received = bytes;
    }

    @Override
    synchronized void bodyArrived(long bytes) {
        received = bytes;
        if (isOpen()) {
            events.bodyArrived(request, bytes);
        }
    }

    @Override
    synchronized void spilled(Side side, long bytes) {
        switch (side) {
            case REQUEST -> requestOnDisk += bytes;
            case RESPONSE -> responseOnDisk += bytes;
        }
        if (isOpen()) {
            events.spilled(request, side, bytes);
        }
    }

    @Override
    synchronized void waits(Side side) {
        if (isOpen()) {
            events.waits(request, side);
        }
    }

    @Override
    synchronized void goesOn(Side side) {
        if (isOpen()) {
            events.goesOn(request, side);
        }
    }

    @Override
    synchronized void queued() {
        if (isOpen()) {
            enter(Stage.QUEUE);
            events.queued(request);
        }
    }

    // ---- answered

    @Override
    synchronized void taken() {
        if (isOpen()) {
            enter(Stage.SERVICE);
            events.taken(request, queue);
        }
    }

    @Override
    synchronized void user(String name) {
        user = name;
    }

    @Override
    synchronized ServerTiming responding(int newStatus) {
        status = newStatus;
        responseBegins = out.handedOver();
        if (isOpen()) {
            events.responding(request, newStatus);
        }
        return tellsClient ? timing() : ServerTiming.NONE;
    }

    @GuardedBy("this")
    private ServerTiming timing() {
        long serviceUntilNow = stage == Stage.SERVICE ? service + clock.nanos() - since : service;
        return new ServerTiming(head, body, queue, serviceUntilNow);
    }

    @Override
    synchronized void refused(int newStatus, String why) {
        outcome = Outcome.REFUSED;
        status = newStatus;
        reason = why;
    }

    @Override
    synchronized void aborted(String why) {
        if (reason.isEmpty()) {
            reason = why;
        }
    }

    @Override
    void leaves(Departures departures) {
        synchronized (this) {
            if (isOpen()) {
                enter(Stage.DRAIN);
            }
        }
        departures.add(this);
    }

    // ---- ended

    @Override
    synchronized void left(long end) {
        end(outcome, end);
    }

    @Override
    synchronized void gone(String cause) {
        if (told == Told.GOES_ON) {
            told = Told.GONE;
            outcome = Outcome.GONE;
            if (reason.isEmpty()) {
                reason = cause;
            }
            events.gone(request, cause);
        }
    }

    @Override
    synchronized void lost(String cause) {
        gone(cause);
        end(Outcome.GONE, out.sent());
    }

    @Override
    void over(Http1Response response) {
        if (response.isWhole()) {
            return; // its last byte tells, when it has left
        }
        if (out.hasFailed()) {
            lost("write failed");
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
        enter(stage); // what it is in until now counts
        told = Told.OVER;
        long sent = responseBegins < 0 ? 0 : Math.max(0, sentUpTo - responseBegins);
        events.ended(new RequestSummary(
                request,
                user,
                how,
                status,
                reason,
                new RequestSummary.Volume(received, sent, requestOnDisk, responseOnDisk),
                new RequestSummary.Times(clock.onTheWall(began), head, body, queue, service, drain)));
    }

    @GuardedBy("this")
    private boolean isOpen() {
        return told != Told.OVER;
    }

    @GuardedBy("this")
    private void enter(Stage next) {
        long now = clock.nanos();
        long spent = now - since;
        switch (stage) {
            case HEAD -> head += spent;
            case BODY -> body += spent;
            case QUEUE -> queue += spent;
            case SERVICE -> service += spent;
            case DRAIN -> drain += spent;
        }
        since = now;
        stage = next;
    }
}
