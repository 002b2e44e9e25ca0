package io.penstock.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * A round of a selector thread has taken too long. This is known only at the end of the round, so the event has a field for the time
 * instead of a duration.
 */
@Name("io.penstock.LateRound")
@Label("Late Round")
@Description("A round of a selector thread took too long: its clients waited for their turn")
@Category("Penstock")
@StackTrace(false)
final class LateRoundEvent extends Event {
    @Label("Reactor")
    String reactor = "";

    @Label("Took")
    @Description("The round that has just ended")
    @Timespan(Timespan.NANOSECONDS)
    long took;
}
