package io.penstock.flight;

import io.penstock.events.ConnectionEvents;
import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import io.penstock.events.Side;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import org.jspecify.annotations.Nullable;

/**
 * Passes events of connections and requests to the running recordings. The listener follows requests only while a recording has enabled
 * their events. At other times, it creates no object for a request.
 *
 * <p>Thread: any, as described at {@link ConnectionEvents}.
 */
final class FlightEvents implements ConnectionEvents {
    /** The current wait of the calling thread. A thread serves one request at a time. */
    private static final ThreadLocal<@Nullable StallEvent> STALL = new ThreadLocal<>();

    /**
     * The requests that began while a recording ran and have not ended yet. An entry is removed at the end of its request. The server
     * reports the end of each request.
     */
    private final Map<Name, RequestEvent> open = new ConcurrentHashMap<>();

    /** The key of a request. */
    private record Name(String connection, long number) {
        static Name of(Request request) {
            return new Name(request.connection(), request.number());
        }
    }

    /** Throws a {@link LinkageError} if the JDK has no recorder. */
    FlightEvents() {
        Recordings.any();
    }

    @Override
    public boolean followsRequests() {
        return true;
    }

    @Override
    public boolean followsNow() {
        return Recordings.wantRequests();
    }

    @Override
    public void headArrived(Request request) {
        if (Recordings.wantRequests()) {
            RequestEvent event = new RequestEvent();
            event.begin();
            open.put(Name.of(request), event);
        }
    }

    @Override
    public void ended(RequestSummary summary) {
        RequestEvent event = open.isEmpty() ? null : open.remove(Name.of(summary.request()));
        if (event == null) {
            // The request began before the recording.
            return;
        }
        event.end();
        if (event.shouldCommit()) {
            fill(event, summary);
            event.commit();
        }
    }

    private static void fill(RequestEvent event, RequestSummary summary) {
        Request request = summary.request();
        event.id = request.id();
        event.client = String.valueOf(request.remote());
        event.method = request.method();
        event.path = request.path();
        event.status = summary.status();
        event.outcome = summary.outcome().name().toLowerCase(Locale.ROOT);
        event.reason = summary.reason();
        RequestSummary.Times times = summary.times();
        event.head = times.head();
        event.body = times.body();
        event.queue = times.queue();
        event.service = times.service();
        event.drain = times.drain();
        RequestSummary.Volume volume = summary.volume();
        event.bytesIn = volume.received();
        event.bytesOut = volume.sent();
        event.diskIn = volume.requestOnDisk();
        event.diskOut = volume.responseOnDisk();
    }

    @Override
    public void waits(Request request, Side side) {
        if (Recordings.any()) {
            StallEvent event = new StallEvent();
            event.begin();
            STALL.set(event);
        }
    }

    @Override
    public void resumed(Request request, Side side) {
        StallEvent event = STALL.get();
        if (event == null) {
            // The wait began before the first recording.
            return;
        }
        STALL.remove();
        event.end();
        if (event.shouldCommit()) {
            event.id = request.id();
            event.path = request.path();
            event.side = side.name().toLowerCase(Locale.ROOT);
            event.commit();
        }
    }

    @Override
    public void late(String reactor, long nanos) {
        if (!Recordings.any()) {
            return;
        }
        LateRoundEvent event = new LateRoundEvent();
        if (event.shouldCommit()) {
            event.reactor = reactor;
            event.took = nanos;
            event.commit();
        }
    }

    @Override
    public void spilled(Request request, Side side, long bytes) {
        if (!Recordings.any()) {
            return;
        }
        SpillEvent event = new SpillEvent();
        if (event.shouldCommit()) {
            event.id = request.id();
            event.path = request.path();
            event.side = side.name().toLowerCase(Locale.ROOT);
            event.bytes = bytes;
            event.commit();
        }
    }

    @Override
    public void refused(String connection, int status, String reason) {
        if (!Recordings.any()) {
            return;
        }
        RefusalEvent event = new RefusalEvent();
        if (event.shouldCommit()) {
            event.connection = connection;
            event.status = status;
            event.reason = reason;
            event.commit();
        }
    }

    @Override
    public void timedOut(String connection, String name) {
        if (!Recordings.any()) {
            return;
        }
        TimeoutEvent event = new TimeoutEvent();
        if (event.shouldCommit()) {
            event.connection = connection;
            event.timeout = name;
            event.commit();
        }
    }

    /**
     * Determines whether a recording of this JVM has enabled the server's events. The recorder belongs to the JVM, so all servers share this
     * class. The events are registered at the first recording, because the registration would delay each start of the server.
     *
     * <p>Thread: any. The queries do not wait.
     */
    private static final class Recordings {
        private static volatile @Nullable EventType requests;

        static {
            FlightRecorder.addListener(new FlightRecorderListener() {
                @Override
                public void recorderInitialized(FlightRecorder recorder) {
                    register();
                }
            });
        }

        private Recordings() {}

        /**
         * Registers the events. The method also creates one event of each kind, because the first event of a kind takes longer. So no request
         * is delayed by a first event.
         */
        private static void register() {
            for (Event first : List.of(
                    new RefusalEvent(),
                    new TimeoutEvent(),
                    new SpillEvent(),
                    new StallEvent(),
                    new LateRoundEvent(),
                    new RequestEvent())) {
                first.begin();
                first.end();
            }
            requests = EventType.getEventType(RequestEvent.class);
        }

        /** Whether a recording has run in this JVM. Before the first recording, no event objects are created. */
        static boolean any() {
            return requests != null;
        }

        static boolean wantRequests() {
            EventType known = requests;
            return known != null && known.isEnabled();
        }
    }
}
