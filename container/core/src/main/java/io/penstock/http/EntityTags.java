package io.penstock.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The value of {@code If-Match} or {@code If-None-Match}: a list of tags, or an asterisk, which matches any representation.
 *
 * @param tags the tags; empty for the asterisk, or if no tag could be parsed
 */
record EntityTags(Kind kind, List<EntityTag> tags) {

    enum Kind {
        ANY,
        LISTED
    }

    /** Reads the tags of all lines. Returns null if there is no line. If a tag is malformed, the remaining tags of its line are ignored. */
    static @Nullable EntityTags of(List<String> fieldValues) {
        if (fieldValues.isEmpty()) {
            return null;
        }
        if (fieldValues.size() == 1 && fieldValues.get(0).strip().equals("*")) {
            return new EntityTags(Kind.ANY, List.of());
        }
        List<EntityTag> tags = new ArrayList<>();
        for (String value : fieldValues) {
            read(value, tags);
        }
        return new EntityTags(Kind.LISTED, tags);
    }

    /** A tag may contain a comma, so only its closing quote shows its end. */
    private static void read(String value, List<EntityTag> into) {
        int at = 0;
        while (at < value.length()) {
            char c = value.charAt(at);
            if (c == ' ' || c == '\t' || c == ',') {
                at++;
                continue;
            }
            int open = value.indexOf('"', at);
            int close = open < 0 ? -1 : value.indexOf('"', open + 1);
            EntityTag tag = close < 0 ? null : EntityTag.parse(value.substring(at, close + 1));
            if (tag == null) {
                return;
            }
            into.add(tag);
            at = close + 1;
        }
    }

    boolean matchStrongly(@Nullable EntityTag current) {
        return kind == Kind.ANY || (current != null && tags.stream().anyMatch(current::matchesStrongly));
    }

    boolean matchWeakly(@Nullable EntityTag current) {
        return kind == Kind.ANY || (current != null && tags.stream().anyMatch(current::matchesWeakly));
    }
}
