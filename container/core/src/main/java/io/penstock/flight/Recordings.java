package io.penstock.flight;

import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import org.jspecify.annotations.Nullable;

/**
 * Determines whether a recording of this JVM has enabled the server's events. The recorder belongs to the JVM, so all servers share this
 * class. The events are registered at the first recording, because the registration would delay each start of the server.
 *
 * <p>Thread: any. The queries do not wait.
 */
final class Recordings {
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
