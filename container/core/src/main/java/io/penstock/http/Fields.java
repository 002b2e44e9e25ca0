package io.penstock.http;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The field lines of a head or a trailer section in the order of arrival (RFC 9110 section 5). Names are compared without regard to case.
 * Values have no white space at their ends. Each char of a value is one byte (ISO-8859-1).
 */
public interface Fields {

    /** No field lines. Immutable. */
    Fields EMPTY = new Fields() {
        @Override
        public int size() {
            return 0;
        }

        @Override
        public String name(int index) {
            throw new IndexOutOfBoundsException(index);
        }

        @Override
        public String value(int index) {
            throw new IndexOutOfBoundsException(index);
        }
    };

    int size();

    /** The name of line {@code index} as it was sent or added. */
    String name(int index);

    String value(int index);

    /** Whether the name of line {@code index} is {@code name}. This method is cheaper than a comparison with {@link #name(int)}. */
    default boolean isNamed(int index, String name) {
        return name(index).equalsIgnoreCase(name);
    }

    /** The value of the first line with this name; null if there is none. */
    default @Nullable String first(String name) {
        for (int i = 0, n = size(); i < n; i++) {
            if (isNamed(i, name)) {
                return value(i);
            }
        }
        return null;
    }

    default boolean contains(String name) {
        for (int i = 0, n = size(); i < n; i++) {
            if (isNamed(i, name)) {
                return true;
            }
        }
        return false;
    }

    /** The values of all lines with this name, in order. The list is empty if there are none. */
    default List<String> all(String name) {
        List<String> values = new ArrayList<>(2);
        for (int i = 0, n = size(); i < n; i++) {
            if (isNamed(i, name)) {
                values.add(value(i));
            }
        }
        return values;
    }

    /** The distinct names, each in the spelling of its first line. */
    default Set<String> names() {
        Set<String> seen = new LinkedHashSet<>();
        Set<String> names = new LinkedHashSet<>();
        for (int i = 0, n = size(); i < n; i++) {
            if (seen.add(name(i).toLowerCase(Locale.ROOT))) {
                names.add(name(i));
            }
        }
        return names;
    }

    /** Whether one of the Connection lines lists {@code option} (RFC 9110 section 7.6.1). */
    default boolean hasConnectionOption(String option) {
        for (int i = 0, n = size(); i < n; i++) {
            if (isNamed(i, "Connection") && isInList(value(i), option)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isInList(String list, String element) {
        if (list.equalsIgnoreCase(element)) {
            return true;
        }
        int start = 0;
        while (start <= list.length()) {
            int comma = list.indexOf(',', start);
            int end = comma < 0 ? list.length() : comma;
            if (list.substring(start, end).strip().equalsIgnoreCase(element)) {
                return true;
            }
            start = end + 1;
        }
        return false;
    }
}
