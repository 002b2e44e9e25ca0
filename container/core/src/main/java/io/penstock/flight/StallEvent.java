package io.penstock.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** The event that a thread has waited for the client of its request. The event contains the stack of the thread. */
@Name("io.penstock.Stall")
@Label("Stall")
@Description("A thread that serves a request waited for its client")
@Category("Penstock")
@StackTrace(true)
@Threshold("20 ms")
final class StallEvent extends Event {
    @Label("Request Id")
    String id = "";

    @Label("Path")
    String path = "";

    @Label("Side")
    @Description("request: the thread waited for more of the body; response: it waited for room for the response")
    String side = "";
}
