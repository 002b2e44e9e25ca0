package io.penstock.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The event that a request was answered without a worker. */
@Name("io.penstock.Refusal")
@Label("Refusal")
@Description("A request was answered without a worker")
@Category("Penstock")
@StackTrace(false)
final class RefusalEvent extends Event {
    @Label("Connection")
    String connection = "";

    @Label("Status")
    int status;

    @Label("Reason")
    @Description("The configuration key, if a limit was exceeded")
    String reason = "";
}
