package io.penstock.accesslog;

import io.penstock.events.RequestSummary;
import io.penstock.events.RequestSummary.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The W3C Extended Log File Format with the fields that the operator has chosen. Each file begins with the names of the fields. An unknown
 * value is written as a dash. Blanks, quotes, number signs, percent signs, and all characters except printable ASCII are written as {@code
 * %HH}, so a blank always ends a field. In a request target, percent signs remain unchanged. Fields that the W3C does not define begin with
 * {@code x-}.
 */
final class W3cFormat implements LineFormat {
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final Pattern HEADER = Pattern.compile("cs\\(([-!#$%&'*+.^_`|~0-9A-Za-z]+)\\)");

    private static final long MICRO = 1000;
    private static final int DIGITS_OF_MICROS = 6;

    /** Writes one field of a line. */
    private interface Column {
        void write(RequestSummary summary, LineBuffer out);
    }

    private final List<String> names;
    private final List<Column> columns = new ArrayList<>();

    private W3cFormat(List<String> names, String node) {
        this.names = names;
        Map<String, Column> known = known(node);
        for (String name : names) {
            Matcher header = HEADER.matcher(name);
            Column column = header.matches() ? header(header.group(1)) : known.get(name);
            if (column == null) {
                throw new IllegalArgumentException(
                        "'" + name + "' is neither common, combined nor json, nor a field; fields are "
                                + String.join(", ", known.keySet()) + " and cs(Name) for a header field");
            }
            columns.add(column);
        }
    }

    /**
     * The format with these fields.
     *
     * @param node the name of this server; empty if it has none
     * @throws IllegalArgumentException if one of the names is unknown; the message contains the unknown name
     */
    static W3cFormat of(String names, String node) {
        return new W3cFormat(List.of(BLANKS.split(names)), node);
    }

    @Override
    public String preamble() {
        return "#Version: 1.0\n#Fields: " + String.join(" ", names) + "\n";
    }

    @Override
    public void write(RequestSummary summary, LineBuffer out) {
        for (int i = 0; i < columns.size(); i++) {
            if (i > 0) {
                out.plain(' ');
            }
            columns.get(i).write(summary, out);
        }
        out.plain('\n');
    }

    private static Column header(String name) {
        return text(summary -> LineFormat.field(summary, name));
    }

    private static Map<String, Column> known(String node) {
        Map<String, Column> known = new LinkedHashMap<>();
        TimestampFormat dates = TimestampFormat.date();
        TimestampFormat times = TimestampFormat.time();
        known.put("date", (summary, out) -> out.plain(dates.of(began(summary))));
        known.put("time", (summary, out) -> out.plain(times.of(began(summary))));
        known.put("c-ip", text(summary -> Client.address(summary.request())));
        known.put("c-port", number(summary -> Client.port(summary.request())));
        known.put("cs-username", text(summary -> summary.user()));
        known.put("cs-method", text(summary -> summary.request().method()));
        known.put("cs-uri", target(summary -> summary.request().target()));
        known.put("cs-uri-stem", target(summary -> summary.request().path()));
        known.put("cs-uri-query", target(summary -> summary.request().query()));
        known.put("cs-version", text(summary -> summary.request().protocol()));
        known.put("cs-bytes", number(summary -> summary.volume().received()));
        known.put("sc-status", number(summary -> summary.status()));
        known.put("sc-bytes", number(summary -> summary.volume().sent()));
        known.put("time-taken", (summary, out) -> out.fixed(summary.times().total() / MICRO, DIGITS_OF_MICROS));
        known.put("x-id", text(summary -> summary.request().id()));
        known.put("x-node", text(summary -> node));
        known.put("x-outcome", text(summary -> summary.outcome().name().toLowerCase(Locale.ROOT)));
        known.put("x-reason", text(summary -> summary.reason()));
        known.put("x-disk-in", number(summary -> summary.volume().requestOnDisk()));
        known.put("x-disk-out", number(summary -> summary.volume().responseOnDisk()));
        stage(known, "head", Times::head);
        stage(known, "body", Times::body);
        stage(known, "queue", Times::queue);
        stage(known, "service", Times::service);
        stage(known, "drain", Times::drain);
        stage(known, "total", Times::total);
        return known;
    }

    /** Adds two fields for the time of a stage: in microseconds and in milliseconds. */
    private static void stage(Map<String, Column> known, String name, ToLongFunction<Times> nanos) {
        known.put("x-" + name + "-us", number(summary -> nanos.applyAsLong(times(summary)) / MICRO));
        known.put("x-" + name + "-ms", (summary, out) -> out.fixed(nanos.applyAsLong(times(summary)) / MICRO, 3));
    }

    private static Instant began(RequestSummary summary) {
        return times(summary).began();
    }

    private static Times times(RequestSummary summary) {
        return summary.times();
    }

    private static Column number(ToLongFunction<RequestSummary> value) {
        return (summary, out) -> out.number(value.applyAsLong(summary));
    }

    /** Finds the text of a field. */
    private interface Words {
        String of(RequestSummary summary);
    }

    private static Column text(Words words) {
        return (summary, out) -> {
            String text = words.of(summary);
            out.percent(text.isEmpty() ? "-" : text);
        };
    }

    private static Column target(Words words) {
        return (summary, out) -> {
            String text = words.of(summary);
            out.target(text.isEmpty() ? "-" : text);
        };
    }
}
