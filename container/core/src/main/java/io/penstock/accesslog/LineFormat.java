package io.penstock.accesslog;

import io.penstock.events.RequestSummary;
import java.time.ZoneId;

/**
 * The format of the log's lines.
 *
 * <p>Thread: any, also several at once.
 */
interface LineFormat {

    /** Adds the line of one request, including its line end. */
    void write(RequestSummary summary, LineBuffer out);

    /** The value of the header field; empty if the request had none. */
    static String field(RequestSummary summary, String name) {
        return summary.request().fields().first(name).orElse("");
    }

    /** The text at the beginning of each new file. */
    default String preamble() {
        return "";
    }

    /**
     * The format with that name, or with the fields that the text lists.
     *
     * @param zone for formats with local times
     * @param node the name of this server; empty if it has none
     * @throws IllegalArgumentException if no such format or field exists
     */
    static LineFormat of(String text, ZoneId zone, String node) {
        return switch (text.strip()) {
            case "common" -> CommonFormat.common(zone);
            case "combined" -> CommonFormat.combined(zone);
            case "json" -> new JsonFormat(node);
            default -> W3cFormat.of(text.strip(), node);
        };
    }
}
