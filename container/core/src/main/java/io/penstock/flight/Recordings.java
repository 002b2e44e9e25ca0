package io.penstock.flight;

import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import org.jspecify.annotations.Nullable;

/**
 * Whether a recording of this JVM wants our events. The recorder is part of the JVM, and so is this: one for all servers. Before the first
 * recording nothing of the recorder is set up, which would make every start slower.
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

    /** Makes the events known, and one of each, so that the first costs its request no more than the others. */
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

    /** Whether there has ever been a recording: otherwise no event is even made. */
    static boolean any() {
        return requests != null;
    }

    static boolean wantRequests() {
        EventType known = requests;
        return known != null && known.isEnabled();
    }
}
