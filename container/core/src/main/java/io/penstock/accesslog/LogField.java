package io.penstock.accesslog;

import io.penstock.events.Notes;
import io.penstock.events.RequestSummary;
import io.penstock.events.RequestSummary.Times;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A field that the operator can choose for the lines of the access log, and for conditions of them. In lines of the W3C format, and behind
 * {@code common} and {@code combined}, it is one word: an unknown value is a dash; blanks, quotes, number signs, percent signs, and all
 * characters except printable ASCII are written as {@code %HH}. In a request target, percent signs remain unchanged. In JSON it is a value.
 *
 * <p>Thread: any, also several at once.
 *
 * @param name the name that the operator writes
 * @param word writes the field as a word
 * @param json writes the field as a value of JSON
 * @param wanted what the server must note of each request for this field
 */
record LogField(String name, Writer word, Writer json, Notes.Wanted wanted) {
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final Pattern NAMED =
            Pattern.compile("(cs|sc|x-cookie|x-attribute)\\(([-!#$%&'*+./:^_`|~0-9A-Za-z]+)\\)");

    private static final long MICRO = 1000;
    private static final int DIGITS_OF_MICROS = 6;

    /** Writes a field of one line. */
    interface Writer {
        void write(RequestSummary summary, Notes notes, LineBuffer out);
    }

    /** Finds the text of a field. */
    private interface Words {
        String of(RequestSummary summary, Notes notes);
    }

    /**
     * The fields with these names, which blanks separate.
     *
     * @param node the name of this server; empty if it has none
     * @throws IllegalArgumentException if one of the names is unknown; the message contains the unknown name
     */
    static List<LogField> all(String names, String node) {
        Map<String, LogField> known = known(node);
        return BLANKS.splitAsStream(names)
                .filter(name -> !name.isEmpty())
                .map(name -> of(name, known, "' is neither common, combined nor json, nor a field"))
                .toList();
    }

    /**
     * The field with this name.
     *
     * @throws IllegalArgumentException as {@link #all}
     */
    static LogField of(String name, String node) {
        return of(name, known(node), "' is not a field");
    }

    private static LogField of(String name, Map<String, LogField> known, String problem) {
        Matcher named = NAMED.matcher(name);
        LogField field = named.matches() ? named(name, named.group(1), named.group(2)) : known.get(name);
        if (field == null) {
            throw new IllegalArgumentException(
                    "'" + name + problem + "; fields are " + String.join(", ", known.keySet())
                            + " and cs(Name) for header fields of the request, sc(Name) for those of the response,"
                            + " x-cookie(NAME) and x-attribute(NAME)");
        }
        return field;
    }

    /** What the server must note of each request for these fields. */
    static Notes.Wanted wanted(List<LogField> fields) {
        Notes.Wanted all = Notes.Wanted.NOTHING;
        for (LogField field : fields) {
            all = all.and(field.wanted);
        }
        return all;
    }

    private static LogField named(String whole, String kind, String name) {
        return switch (kind) {
            case "cs" -> text(whole, (summary, notes) -> LineFormat.field(summary, name));
            case "sc" ->
                text(
                        whole,
                        (summary, notes) -> notes.responseField(name),
                        new Notes.Wanted(List.of(name), List.of(), false));
            case "x-cookie" -> text(whole, (summary, notes) -> cookie(LineFormat.field(summary, "Cookie"), name));
            default ->
                text(
                        whole,
                        (summary, notes) -> notes.attribute(name),
                        new Notes.Wanted(List.of(), List.of(name), false));
        };
    }

    /** The value of the first cookie with this name in a field (RFC 6265 section 4.2.1); empty if there is none. */
    private static String cookie(String field, String name) {
        int begin = 0;
        while (begin < field.length()) {
            int end = field.indexOf(';', begin);
            if (end < 0) {
                end = field.length();
            }
            int equals = field.indexOf('=', begin);
            if (equals >= 0
                    && equals < end
                    && field.substring(begin, equals).strip().equals(name)) {
                return field.substring(equals + 1, end).strip();
            }
            begin = end + 1;
        }
        return "";
    }

    private static Map<String, LogField> known(String node) {
        Map<String, LogField> known = new LinkedHashMap<>();
        TimestampFormat dates = TimestampFormat.date();
        TimestampFormat times = TimestampFormat.time();
        add(known, time("date", dates));
        add(known, time("time", times));
        add(known, text("c-ip", (summary, notes) -> Client.address(summary.request())));
        add(known, number("c-port", summary -> Client.port(summary.request())));
        add(known, text("cs-username", (summary, notes) -> summary.user()));
        add(known, text("cs-method", (summary, notes) -> summary.request().method()));
        add(known, target("cs-uri", (summary, notes) -> summary.request().target()));
        add(known, target("cs-uri-stem", (summary, notes) -> summary.request().path()));
        add(known, target("cs-uri-query", (summary, notes) -> summary.request().query()));
        add(known, text("cs-version", (summary, notes) -> summary.request().protocol()));
        add(known, number("cs-bytes", summary -> summary.volume().received()));
        add(known, number("sc-status", summary -> summary.status()));
        add(known, number("sc-bytes", summary -> summary.volume().sent()));
        add(known, fixed("time-taken", summary -> summary.times().total() / MICRO, DIGITS_OF_MICROS));
        add(known, text("x-id", (summary, notes) -> summary.request().id()));
        add(known, text("x-node", (summary, notes) -> node));
        add(known, text("x-session-id", (summary, notes) -> notes.sessionId(), session()));
        add(
                known,
                text("x-outcome", (summary, notes) -> summary.outcome().name().toLowerCase(Locale.ROOT)));
        add(known, text("x-reason", (summary, notes) -> summary.reason()));
        add(known, number("x-disk-in", summary -> summary.volume().requestOnDisk()));
        add(known, number("x-disk-out", summary -> summary.volume().responseOnDisk()));
        stage(known, "head", Times::head);
        stage(known, "body", Times::body);
        stage(known, "queue", Times::queue);
        stage(known, "service", Times::service);
        stage(known, "drain", Times::drain);
        stage(known, "total", Times::total);
        return known;
    }

    private static void add(Map<String, LogField> known, LogField field) {
        known.put(field.name, field);
    }

    private static Notes.Wanted session() {
        return new Notes.Wanted(List.of(), List.of(), true);
    }

    /** Adds two fields for the time of a stage: in microseconds and in milliseconds. */
    private static void stage(Map<String, LogField> known, String name, ToLongFunction<Times> nanos) {
        add(known, number("x-" + name + "-us", summary -> nanos.applyAsLong(summary.times()) / MICRO));
        add(known, fixed("x-" + name + "-ms", summary -> nanos.applyAsLong(summary.times()) / MICRO, 3));
    }

    private static LogField time(String name, TimestampFormat format) {
        return new LogField(
                name,
                (summary, notes, out) -> out.plain(format.of(summary.times().began())),
                (summary, notes, out) ->
                        out.plain('"').plain(format.of(summary.times().began())).plain('"'),
                Notes.Wanted.NOTHING);
    }

    private static LogField number(String name, ToLongFunction<RequestSummary> value) {
        return same(name, (summary, notes, out) -> out.number(value.applyAsLong(summary)));
    }

    private static LogField fixed(String name, ToLongFunction<RequestSummary> value, int digits) {
        return same(name, (summary, notes, out) -> out.fixed(value.applyAsLong(summary), digits));
    }

    private static LogField same(String name, Writer writer) {
        return new LogField(name, writer, writer, Notes.Wanted.NOTHING);
    }

    private static LogField text(String name, Words words) {
        return text(name, words, Notes.Wanted.NOTHING);
    }

    private static LogField text(String name, Words words, Notes.Wanted wanted) {
        Writer word = (summary, notes, out) -> {
            String text = words.of(summary, notes);
            out.percent(text.isEmpty() ? "-" : text);
        };
        return new LogField(name, word, json(words), wanted);
    }

    private static LogField target(String name, Words words) {
        Writer word = (summary, notes, out) -> {
            String text = words.of(summary, notes);
            out.target(text.isEmpty() ? "-" : text);
        };
        return new LogField(name, word, json(words), Notes.Wanted.NOTHING);
    }

    private static Writer json(Words words) {
        return (summary, notes, out) -> {
            String text = words.of(summary, notes);
            if (text.isEmpty()) {
                out.plain("null");
            } else {
                out.json(text);
            }
        };
    }
}
