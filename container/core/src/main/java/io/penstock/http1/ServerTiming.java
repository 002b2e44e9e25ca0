package io.penstock.http1;

import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;

/**
 * Writes the field that tells a client where the time of its request has gone until the head of the response was made (W3C Server
 * Timing). Browsers show it beside their own figures.
 */
final class ServerTiming {
    private ServerTiming() {}

    /** The same head with the field behind what the application says, which may have one of its own. Times are in nanoseconds. */
    static ResponseHead added(ResponseHead head, long arrivalOfHead, long body, long queue, long service) {
        StringBuilder value = new StringBuilder(80);
        metric(value, "head", arrivalOfHead).append(", ");
        metric(value, "body", body).append(", ");
        metric(value, "queue", queue).append(", ");
        metric(value, "service", service);
        Fields given = head.fields();
        FieldList fields = new FieldList();
        for (int i = 0, n = given.size(); i < n; i++) {
            fields.add(given.name(i), given.value(i));
        }
        fields.add("Server-Timing", value.toString());
        return new ResponseHead(head.status(), fields, head.contentLength());
    }

    /** In milliseconds, with three digits behind the point. */
    private static StringBuilder metric(StringBuilder value, String name, long nanos) {
        long micros = Math.max(0, nanos) / 1000;
        String fraction = Long.toString(1000 + micros % 1000);
        return value.append(name)
                .append(";dur=")
                .append(micros / 1000)
                .append('.')
                .append(fraction, 1, fraction.length());
    }
}
