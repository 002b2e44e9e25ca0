package io.penstock.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A selector thread came round late. It is known only when it has, so the event has no duration but a field. */
@Name("io.penstock.LateRound")
@Label("Late Round")
@Description("A selector thread came round late: its clients waited for their turn")
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
