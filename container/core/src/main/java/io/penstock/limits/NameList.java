package io.penstock.limits;

import java.util.Arrays;
import java.util.List;

/** Reads names separated by commas or white space; {@code none} means an empty list. */
final class NameList {
    private static final String NONE = "none";

    private NameList() {}

    static List<String> parse(String text) {
        List<String> names = Arrays.stream(text.split("[,\\s]+"))
                .filter(name -> !name.isEmpty())
                .toList();
        if (names.isEmpty()) {
            throw new IllegalArgumentException("a value is missing");
        }
        return names.equals(List.of(NONE)) ? List.of() : names;
    }
}
