package io.penstock.accesslog;

import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import java.time.ZoneId;
import java.util.List;

/**
 * The Common Log Format of the NCSA server, and the Combined Log Format, which adds two header fields:
 *
 * <pre>
 *   192.0.2.7 - - [21/Nov/2026:14:08:16 +0100] "GET /a?b=c HTTP/1.1" 200 5120 "https://example.org/" "Mozilla/5.0 ..."
 * </pre>
 *
 * <p>An unknown value is a dash. The byte count includes the head and the framing of the response. Within quotes, a quote, a backslash and
 * all characters except printable ASCII are written as {@code \xHH}.
 */
final class CommonFormat implements LineFormat {
    private final TimestampFormat timestamps;
    private final List<String> fields;

    private CommonFormat(ZoneId zone, List<String> fields) {
        this.timestamps = TimestampFormat.common(zone);
        this.fields = fields;
    }

    static CommonFormat common(ZoneId zone) {
        return new CommonFormat(zone, List.of());
    }

    static CommonFormat combined(ZoneId zone) {
        return new CommonFormat(zone, List.of("Referer", "User-Agent"));
    }

    @Override
    public void write(RequestSummary summary, LineBuffer out) {
        Request request = summary.request();
        Client.put(request, out);
        out.plain(" - ").escapedWord(summary.user().isEmpty() ? "-" : summary.user());
        out.plain(" [").plain(timestamps.of(summary.times().began())).plain("] \"");
        requestLine(request, out);
        out.plain("\" ");
        numberOrDash(summary.status(), out);
        out.plain(' ');
        numberOrDash(summary.volume().sent(), out);
        for (String field : fields) {
            String value = LineFormat.field(summary, field);
            out.plain(" \"").escaped(value.isEmpty() ? "-" : value).plain('"');
        }
        out.plain('\n');
    }

    private static void requestLine(Request request, LineBuffer out) {
        if (request.method().isEmpty()) {
            out.plain('-');
            return;
        }
        out.escaped(request.method()).plain(' ').escaped(request.target());
        if (!request.protocol().isEmpty()) {
            out.plain(' ').escaped(request.protocol());
        }
    }

    private static void numberOrDash(long number, LineBuffer out) {
        if (number == 0) {
            out.plain('-');
        } else {
            out.number(number);
        }
    }
}
