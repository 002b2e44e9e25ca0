package io.penstock.http;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the fields stand in a request's head that decide how the request is read and answered. They are found once, line by line, while the
 * head is parsed: most requests have none of them but {@code Host}, and need no search.
 *
 * <p>Filled by one thread, then immutable.
 */
public final class DecidingFields {

    /** The fields that decide. */
    public enum Name {
        CONNECTION("connection"),
        CONTENT_LENGTH("content-length"),
        COOKIE("cookie"),
        EXPECT("expect"),
        HOST("host"),
        TRANSFER_ENCODING("transfer-encoding"),
        UPGRADE("upgrade");

        private static final Name[] ALL = values();
        private static final int TO_LOWER_CASE = 0x20; // which leaves a hyphen as it is

        private final String text;

        Name(String text) {
            this.text = text;
        }

        private static @Nullable Name of(byte[] in, int start, int end) {
            for (Name name : ALL) {
                if (name.is(in, start, end)) {
                    return name;
                }
            }
            return null;
        }

        private boolean is(byte[] in, int start, int end) {
            if (end - start != text.length()) {
                return false;
            }
            for (int i = 0; i < text.length(); i++) {
                if ((in[start + i] | TO_LOWER_CASE) != text.charAt(i)) {
                    return false;
                }
            }
            return true;
        }

        private static @Nullable Name of(String text) {
            for (Name name : ALL) {
                if (name.text.equalsIgnoreCase(text)) {
                    return name;
                }
            }
            return null;
        }
    }

    private final Map<Name, Integer> firstLines = new EnumMap<>(Name.class);
    private final Set<Name> repeated = EnumSet.noneOf(Name.class);

    /** Those among fields that did not come as bytes. */
    static DecidingFields of(Fields fields) {
        DecidingFields deciding = new DecidingFields();
        for (int i = 0, n = fields.size(); i < n; i++) {
            deciding.found(Name.of(fields.name(i)), i);
        }
        return deciding;
    }

    /** A field line has come whose name, a token, stands between two offsets. */
    void look(byte[] in, int start, int end, int line) {
        found(Name.of(in, start, end), line);
    }

    private void found(@Nullable Name name, int line) {
        if (name != null && firstLines.putIfAbsent(name, line) != null) {
            repeated.add(name);
        }
    }

    public boolean has(Name name) {
        return firstLines.containsKey(name);
    }

    /** The index of the first line of that name; -1 if there is none. */
    int line(Name name) {
        Integer line = firstLines.get(name);
        return line == null ? -1 : line;
    }

    /** Whether there is more than one line of that name. */
    boolean isRepeated(Name name) {
        return repeated.contains(name);
    }
}
