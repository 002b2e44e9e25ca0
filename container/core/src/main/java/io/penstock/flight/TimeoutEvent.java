package io.penstock.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The event that a deadline passed. A client or an application was too slow. */
@Name("io.penstock.Timeout")
@Label("Timeout")
@Description("A deadline passed: a client or an application stalled")
@Category("Penstock")
@StackTrace(false)
final class TimeoutEvent extends Event {
    @Label("Connection")
    String connection = "";

    @Label("Timeout")
    @Description("The configuration key of the deadline")
    String timeout = "";
}
