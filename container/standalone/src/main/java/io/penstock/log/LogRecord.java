package io.penstock.log;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/**
 * One record of the log.
 *
 * @param at the wall-clock time, in milliseconds since 1970
 * @param lines further lines of the message, separated by line feeds, such as those of a compiler; empty if there are none
 */
record LogRecord(
        long at,
        String level,
        String thread,
        String logger,
        String message,
        String lines,
        @Nullable Throwable thrown) {

    private static final String HEX = "0123456789abcdef";

    /**
     * Adds the time with the offset of the machine's time zone. A formatter and a {@code ZoneId} are not used, because their initialisation
     * would delay the first log line too much.
     */
    private void time(StringBuilder out) {
        int offset = TimeZone.getDefault().getOffset(at);
        long local = at + offset;
        LocalDateTime time = LocalDateTime.ofEpochSecond(
                Math.floorDiv(local, 1000L), Math.floorMod(local, 1000) * 1_000_000, ZoneOffset.UTC);
        out.append(time.getYear());
        two(out.append('-'), time.getMonthValue());
        two(out.append('-'), time.getDayOfMonth());
        two(out.append('T'), time.getHour());
        two(out.append(':'), time.getMinute());
        two(out.append(':'), time.getSecond());
        int millis = time.getNano() / 1_000_000;
        out.append('.').append(millis / 100);
        two(out, millis % 100);
        out.append(ZoneOffset.ofTotalSeconds(offset / 1000));
    }

    private static void two(StringBuilder out, int number) {
        out.append(number / 10).append(number % 10);
    }

    /** The record as one line of text, followed by further lines and the stack trace. Only the further lines of a record begin with a blank. */
    String text() {
        StringBuilder out = new StringBuilder(160);
        time(out);
        out.append(" [");
        visible(out, thread);
        out.append("] ").append(level).append(' ');
        out.append(logger, logger.lastIndexOf('.') + 1, logger.length()).append(" - ");
        visible(out, message);
        out.append('\n');
        lines.lines().forEach(line -> indented(out, line));
        if (thrown != null) {
            StackText.of(thrown).forEach(line -> indented(out, line));
        }
        return out.toString();
    }

    private static void indented(StringBuilder out, String line) {
        out.append("  ");
        visible(out, line);
        out.append('\n');
    }

    /** Adds a text with escapes for control characters. So a message with text from a client cannot begin a new line. */
    private static void visible(StringBuilder out, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c) && c != '\t' || c == '\u2028' || c == '\u2029') {
                escaped(out, c);
            } else {
                out.append(c);
            }
        }
    }

    /**
     * The record as one line of JSON (RFC 8259).
     *
     * @param node the name of this server; empty if it has none
     */
    String json(String node) {
        StringBuilder out = new StringBuilder(240);
        out.append("{\"time\":\"");
        time(out);
        out.append('"');
        if (!node.isEmpty()) {
            field(out, "node", node);
        }
        field(out, "level", level);
        field(out, "thread", thread);
        field(out, "logger", logger);
        field(out, "message", lines.isEmpty() ? message : message + "\n" + lines);
        if (thrown != null) {
            field(out, "error", thrown.toString());
            field(out, "stack", String.join("\n", StackText.of(thrown)));
        }
        return out.append("}\n").toString();
    }

    private static void field(StringBuilder out, String name, String value) {
        out.append(",\"").append(name).append("\":\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (Character.isISOControl(c) || Character.isSurrogate(c) || c == '\u2028' || c == '\u2029') {
                escaped(out, c);
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private static void escaped(StringBuilder out, char c) {
        switch (c) {
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                out.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    out.append(HEX.charAt(c >> shift & 0xf));
                }
            }
        }
    }
}
