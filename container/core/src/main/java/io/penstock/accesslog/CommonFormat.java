package io.penstock.accesslog;

import io.penstock.events.Notes;
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
 * all characters except printable ASCII are written as {@code \xHH}. {@link LogField Fields} can follow, each as a word.
 */
final class CommonFormat implements LineFormat {
    private final TimestampFormat timestamps;
    private final List<String> quoted;
    private final List<LogField> others;

    private CommonFormat(ZoneId zone, List<String> quoted, List<LogField> others) {
        this.timestamps = TimestampFormat.common(zone);
        this.quoted = quoted;
        this.others = others;
    }

    /** @param others the fields that follow */
    static CommonFormat common(ZoneId zone, List<LogField> others) {
        return new CommonFormat(zone, List.of(), others);
    }

    /** @param others the fields that follow */
    static CommonFormat combined(ZoneId zone, List<LogField> others) {
        return new CommonFormat(zone, List.of("Referer", "User-Agent"), others);
    }

    @Override
    public Notes.Wanted wanted() {
        return LogField.wanted(others);
    }

    @Override
    public void write(RequestSummary summary, Notes notes, LineBuffer out) {
        Request request = summary.request();
        Client.put(request, out);
        out.plain(" - ").escapedWord(summary.user().isEmpty() ? "-" : summary.user());
        out.plain(" [").plain(timestamps.of(summary.times().began())).plain("] \"");
        requestLine(request, out);
        out.plain("\" ");
        numberOrDash(summary.status(), out);
        out.plain(' ');
        numberOrDash(summary.volume().sent(), out);
        for (String field : quoted) {
            String value = LineFormat.field(summary, field);
            out.plain(" \"").escaped(value.isEmpty() ? "-" : value).plain('"');
        }
        for (int i = 0; i < others.size(); i++) {
            out.plain(' ');
            others.get(i).word().write(summary, notes, out);
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
