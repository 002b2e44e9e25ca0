package io.penstock.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/** One request, from the end of its head to the last byte of its response. Times are in nanoseconds. */
@Name("io.penstock.Request")
@Label("Request")
@Description("One request, from the end of its head to the last byte of its answer, and where its time went")
@Category("Penstock")
@StackTrace(false)
@Threshold("20 ms")
final class RequestEvent extends Event {
    @Label("Request Id")
    @Description("Its name in the logs")
    String id = "";

    @Label("Client")
    String client = "";

    @Label("Method")
    String method = "";

    @Label("Path")
    @Description("As sent, without the query, which may hold secrets")
    String path = "";

    @Label("Status")
    @Description("Of the response; 0 if there was none")
    int status;

    @Label("Outcome")
    @Description("answered, refused, aborted or gone")
    String outcome = "";

    @Label("Reason")
    @Description("Why it was refused or aborted, or the connection ended")
    String reason = "";

    @Label("Head")
    @Description("From its first byte to the end of its head, before this event begins")
    @Timespan(Timespan.NANOSECONDS)
    long head;

    @Label("Body")
    @Description("From then until its body had arrived")
    @Timespan(Timespan.NANOSECONDS)
    long body;

    @Label("Queue")
    @Description("From then until a worker took it")
    @Timespan(Timespan.NANOSECONDS)
    long queue;

    @Label("Service")
    @Description("From then until the response was handed over whole")
    @Timespan(Timespan.NANOSECONDS)
    long service;

    @Label("Drain")
    @Description("From then until the client's connection had taken it")
    @Timespan(Timespan.NANOSECONDS)
    long drain;

    @Label("Bytes In")
    @Description("Of the request's body")
    @DataAmount
    long bytesIn;

    @Label("Bytes Out")
    @Description("Of the response, with head and framing")
    @DataAmount
    long bytesOut;

    @Label("Request on Disk")
    @DataAmount
    long diskIn;

    @Label("Response on Disk")
    @DataAmount
    long diskOut;
}
