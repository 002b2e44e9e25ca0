package io.penstock.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The event that bytes of a body were written to disk. */
@Name("io.penstock.Spill")
@Label("Spill")
@Description("Bytes of a body were written to disk, because the body is large, its client is slow, or memory is short")
@Category("Penstock")
@StackTrace(false)
final class SpillEvent extends Event {
    @Label("Request Id")
    String id = "";

    @Label("Path")
    String path = "";

    @Label("Side")
    @Description("request or response")
    String side = "";

    @Label("Bytes")
    @DataAmount
    long bytes;
}
