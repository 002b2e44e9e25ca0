package io.penstock.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * The event that a round of a selector thread has taken too long. A round is one call of {@code select} and the handling of its events. The
 * event object is created at the end of the round. So the time of the round is a field, and not the duration of the event.
 */
@Name("io.penstock.LateRound")
@Label("Late Round")
@Description("A round of a selector thread took too long, so its clients waited")
@Category("Penstock")
@StackTrace(false)
final class LateRoundEvent extends Event {
    @Label("Reactor")
    String reactor = "";

    @Label("Took")
    @Description("The time that the round took")
    @Timespan(Timespan.NANOSECONDS)
    long took;
}
