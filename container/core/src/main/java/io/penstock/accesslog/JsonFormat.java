package io.penstock.accesslog;

import io.penstock.events.Notes;
import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;

/**
 * One JSON object for each request. All objects have the same members. If the server has no name, the member {@code node} is missing. {@link
 * LogField Fields} can follow, as members with the names of the fields. An unknown value is null. Lines are printable ASCII. All other characters are written as escapes.
 */
final class JsonFormat implements LineFormat {
    private final TimestampFormat timestamps = TimestampFormat.dateAndTime();
    private final String node;
    private final List<LogField> others;

    /**
     * @param node the name of this server; empty if it has none
     * @param others the fields that follow
     */
    JsonFormat(String node, List<LogField> others) {
        this.node = node;
        this.others = others;
    }

    @Override
    public Notes.Wanted wanted() {
        return LogField.wanted(others);
    }

    @Override
    public void write(RequestSummary summary, Notes notes, LineBuffer out) {
        Request request = summary.request();
        RequestSummary.Times times = summary.times();
        out.plain("{\"time\":\"").plain(timestamps.of(times.began())).plain('.');
        out.plain(Integer.toString(1000 + times.began().get(ChronoField.MILLI_OF_SECOND))
                        .substring(1))
                .plain("Z\"");
        if (!node.isEmpty()) {
            text(out, "node", node);
        }
        text(out, "id", request.id());
        text(out, "client", Client.address(request));
        number(out, "port", Client.port(request));
        text(out, "user", summary.user());
        text(out, "method", request.method());
        text(out, "path", request.path());
        text(out, "query", request.query());
        text(out, "protocol", request.protocol());
        text(out, "referer", LineFormat.field(summary, "Referer"));
        text(out, "user_agent", LineFormat.field(summary, "User-Agent"));
        if (summary.status() == 0) {
            out.plain(",\"status\":null");
        } else {
            number(out, "status", summary.status());
        }
        text(out, "outcome", summary.outcome().name().toLowerCase(Locale.ROOT));
        text(out, "reason", summary.reason());
        RequestSummary.Volume volume = summary.volume();
        number(out, "bytes_in", volume.received());
        number(out, "bytes_out", volume.sent());
        number(out, "disk_in", volume.requestOnDisk());
        number(out, "disk_out", volume.responseOnDisk());
        micros(out, "head_us", times.head());
        micros(out, "body_us", times.body());
        micros(out, "queue_us", times.queue());
        micros(out, "service_us", times.service());
        micros(out, "drain_us", times.drain());
        micros(out, "total_us", times.total());
        for (int i = 0; i < others.size(); i++) {
            LogField field = others.get(i);
            name(out, field.name());
            field.json().write(summary, notes, out);
        }
        out.plain("}\n");
    }

    private static void text(LineBuffer out, String name, String value) {
        name(out, name);
        if (value.isEmpty()) {
            out.plain("null");
        } else {
            out.json(value);
        }
    }

    private static void number(LineBuffer out, String name, long value) {
        name(out, name);
        out.number(value);
    }

    private static void micros(LineBuffer out, String name, long nanos) {
        number(out, name, nanos / 1000);
    }

    private static void name(LineBuffer out, String name) {
        out.plain(",\"").plain(name).plain("\":");
    }
}
