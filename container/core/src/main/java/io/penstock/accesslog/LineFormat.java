package io.penstock.accesslog;

import java.time.ZoneId;
import java.util.List;

/**
 * What a line of the log looks like.
 *
 * <p>Thread: {@link #fields} any, the rest the writer.
 */
interface LineFormat {

    /** The names of the header fields that a line shows, in the order in which {@link Entry#field} has their values. */
    List<String> fields();

    /** Adds the line of one request, with its end. */
    void write(Entry entry, LineBuffer out);

    /** What stands at the beginning of each new file. */
    default String preamble() {
        return "";
    }

    /**
     * The format with that name, or of those fields.
     *
     * @param zone whose time is told where the format tells the time of a place
     * @throws IllegalArgumentException if there is none such
     */
    static LineFormat of(String text, ZoneId zone) {
        return switch (text.strip()) {
            case "common" -> CommonFormat.common(zone);
            case "combined" -> CommonFormat.combined(zone);
            case "json" -> new JsonFormat();
            default -> W3cFormat.of(text.strip());
        };
    }
}
