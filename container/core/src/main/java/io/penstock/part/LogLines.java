package io.penstock.part;

/**
 * The last argument of a log message whose lines stay apart in the log, such as the output of a compiler. In other messages line breaks are
 * escaped, since they could come from a client.
 *
 * @param text the lines, separated by line feeds. They contain no text of a client. If it is empty, the message has no further lines
 */
public record LogLines(String text) {

    /** The lines behind a line break, for logs that do not know this class. */
    @Override
    public String toString() {
        return text.isEmpty() ? "" : "\n" + text;
    }
}
