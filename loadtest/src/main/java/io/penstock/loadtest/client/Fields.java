package io.penstock.loadtest.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The field lines of a request or response, in their order (RFC 9110, section 5). Names are compared without regard to case. */
public record Fields(List<Field> lines) {
    public static final Fields NONE = new Fields(List.of());

    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern LINE = Pattern.compile("[\\t\\x20-\\x7e\\xa0-\\xff]*");
    private static final Set<String> SET_AUTOMATICALLY = Set.of("host", "content-length", "transfer-encoding");

    /** One field line. */
    public record Field(String name, String value) {
        /**
         * Reads the value of an option such as {@code --header='Accept: text/html'}.
         *
         * @throws IllegalArgumentException if the value is not a field line, or the client sets this field automatically; the message names
         *     the option
         */
        public static Field ofOption(String option, String line) {
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new IllegalArgumentException(option + " must be 'Name: value', not '" + line + "'");
            }
            Field field =
                    checked(line.substring(0, colon), line.substring(colon + 1).strip());
            if (SET_AUTOMATICALLY.contains(field.name().toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        option + " cannot set " + field.name() + ": it is set automatically");
            }
            return field;
        }

        /** @throws IllegalArgumentException if the name is not a token, or the value has characters that are not allowed in field values */
        static Field checked(String name, String value) {
            if (!TOKEN.matcher(name).matches() || !LINE.matcher(value).matches()) {
                throw new IllegalArgumentException("Not a field: " + name + ": " + value);
            }
            return new Field(name, value);
        }
    }

    public Fields {
        lines = List.copyOf(lines);
    }

    Fields and(Field field) {
        List<Field> more = new ArrayList<>(lines);
        more.add(field);
        return new Fields(more);
    }

    /** Appends the fields as in a request head. */
    void appendTo(StringBuilder head) {
        lines.forEach(line ->
                head.append(line.name()).append(": ").append(line.value()).append("\r\n"));
    }

    public boolean has(String name) {
        return lines.stream().anyMatch(line -> line.name().equalsIgnoreCase(name));
    }
}
