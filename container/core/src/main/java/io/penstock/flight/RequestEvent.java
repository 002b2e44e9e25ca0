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

/** The event of one request, from the end of its head to the last byte of its response. Times are in nanoseconds. */
@Name("io.penstock.Request")
@Label("Request")
@Description("A request from the end of its head to the last byte of its response, with the time of each stage")
@Category("Penstock")
@StackTrace(false)
@Threshold("20 ms")
final class RequestEvent extends Event {
    @Label("Request Id")
    @Description("The name of the request in the logs")
    String id = "";

    @Label("Client")
    String client = "";

    @Label("Method")
    String method = "";

    @Label("Path")
    @Description("The path as sent, without the query, since a query may contain secrets")
    String path = "";

    @Label("Status")
    @Description("The status of the response; 0 if there was none")
    int status;

    @Label("Outcome")
    @Description("answered, refused, aborted or gone")
    String outcome = "";

    @Label("Reason")
    @Description("Why the request was refused or aborted, or why its connection ended")
    String reason = "";

    @Label("Head")
    @Description("From the first byte of the request to the end of its head, before this event begins")
    @Timespan(Timespan.NANOSECONDS)
    long head;

    @Label("Body")
    @Description("From the end of Head until the body had arrived")
    @Timespan(Timespan.NANOSECONDS)
    long body;

    @Label("Queue")
    @Description("From the end of Body until a worker took the request")
    @Timespan(Timespan.NANOSECONDS)
    long queue;

    @Label("Service")
    @Description("From the end of Queue until the whole response was handed over")
    @Timespan(Timespan.NANOSECONDS)
    long service;

    @Label("Drain")
    @Description("From the end of Service until the client's connection had taken the response")
    @Timespan(Timespan.NANOSECONDS)
    long drain;

    @Label("Bytes In")
    @Description("Bytes of the request's body")
    @DataAmount
    long bytesIn;

    @Label("Bytes Out")
    @Description("Bytes of the response, with head and framing")
    @DataAmount
    long bytesOut;

    @Label("Request on Disk")
    @DataAmount
    long diskIn;

    @Label("Response on Disk")
    @DataAmount
    long diskOut;
}
