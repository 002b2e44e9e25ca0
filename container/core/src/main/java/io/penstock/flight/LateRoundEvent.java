package io.penstock.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * A round of a selector thread has taken too long. The event is made at the end of the round. So it has a field for the time, and
 * not a duration.
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
