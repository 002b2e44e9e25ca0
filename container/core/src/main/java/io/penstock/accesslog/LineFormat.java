package io.penstock.accesslog;

import io.penstock.events.Notes;
import io.penstock.events.RequestSummary;
import java.time.ZoneId;

/**
 * The format of the lines in an access log.
 *
 * <p>Thread: any, also several at once.
 */
interface LineFormat {

    /** Adds the line of one request, including its line end. */
    void write(RequestSummary summary, Notes notes, LineBuffer out);

    /** What the server must note of each request for a line. */
    default Notes.Wanted wanted() {
        return Notes.Wanted.NOTHING;
    }

    /** The value of a header field; empty if the request does not have the field. */
    static String field(RequestSummary summary, String name) {
        return summary.request().fields().first(name).orElse("");
    }

    /** The text at the beginning of each new log file. */
    default String preamble() {
        return "";
    }

    /**
     * Returns the format for a text: the name of a format, which fields can follow, or a list of fields.
     *
     * @param zone the time zone of formats with local times
     * @param node the name of this server; empty if it has none
     * @throws IllegalArgumentException if no such format or field exists
     */
    static LineFormat of(String text, ZoneId zone, String node) {
        String given = text.strip();
        String first = given.split("\\s", 2)[0];
        String others = given.substring(first.length());
        return switch (first) {
            case "common" -> CommonFormat.common(zone, LogField.all(others, node));
            case "combined" -> CommonFormat.combined(zone, LogField.all(others, node));
            case "json" -> new JsonFormat(node, LogField.all(others, node));
            default -> new W3cFormat(LogField.all(given, node));
        };
    }
}
