package io.penstock.flight;

import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import org.jspecify.annotations.Nullable;

/**
 * Whether a recording of this JVM has our events enabled. The recorder belongs to the JVM, so all servers share this class. The recorder is
 * set up only at the first recording, since its setup would slow down each start.
 *
 * <p>Thread: any; the answer is a read of two fields.
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

    /** Registers the events, and makes one of each, so that the first event costs its request no more than later ones. */
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

    /** Whether a recording has ever run. Otherwise no event object is made. */
    static boolean any() {
        return requests != null;
    }

    static boolean wantRequests() {
        EventType known = requests;
        return known != null && known.isEnabled();
    }
}
