package io.penstock.rules;

import io.penstock.http.Fields;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The values of one field, by path.
 *
 * @param choices in the order of the file; the last one that matches decides
 */
record FieldRule(String name, List<Choice> choices) {

    /** Fields that describe the content, which a 304 does not repeat (RFC 9110 section 15.4.5). */
    private static final List<String> OF_CONTENT = List.of("content-disposition", "content-language");

    /** Fields of a response that no rule makes one that caches keep. */
    private static final List<String> NOT_STORED = List.of("Set-Cookie", "Expires", "Pragma");

    private static final int NOT_MODIFIED = 304;

    FieldRule {
        choices = List.copyOf(choices);
    }

    /**
     * A value for some paths.
     *
     * @param value empty if the field is not for these paths
     * @param letsStore whether it allows caches to use a response again without a question
     */
    record Choice(PathRule paths, String value, boolean letsStore) {
        static Choice of(PathRule paths, String name, String value) {
            return new Choice(paths, value, letsStore(name.toLowerCase(Locale.ROOT), value.toLowerCase(Locale.ROOT)));
        }

        private static boolean letsStore(String name, String value) {
            if (name.equals("expires")) {
                return true;
            }
            if (!name.endsWith("cache-control") && !name.equals("surrogate-control")) {
                return false;
            }
            for (String part : value.split(",")) {
                String directive = part.replaceAll("[ \t\"]", "");
                boolean keeps = directive.contains("max") && directive.contains("age=") && !directive.endsWith("age=0");
                if (keeps
                        || directive.equals("public")
                        || directive.equals("immutable")
                        || directive.startsWith("stale-")) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * What the rules say for a path; null for nothing.
     *
     * @param path decoded; null if it is not known
     */
    @Nullable
    Choice choice(@Nullable String path) {
        for (int i = choices.size() - 1; i >= 0; i--) {
            Choice choice = choices.get(i);
            if (choice.paths().matches(path)) {
                return choice.value().isEmpty() ? null : choice;
            }
        }
        return null;
    }

    /**
     * The value to add to a response; null for none.
     *
     * @param own fields of the response
     */
    @Nullable
    String value(int status, @Nullable String path, Fields own) {
        if (!mayHave(status, own)) {
            return null;
        }
        Choice choice = choice(path);
        return choice == null || (choice.letsStore() && !mayBeStored(status, own)) ? null : choice.value();
    }

    /** Lines of Vary add up; of all other fields the one of the application counts. */
    private boolean mayHave(int status, Fields own) {
        boolean isOfContent = OF_CONTENT.contains(name.toLowerCase(Locale.ROOT));
        return !(isOfContent && status == NOT_MODIFIED) && (name.equalsIgnoreCase("Vary") || !own.contains(name));
    }

    /**
     * Whether a response may be one that caches keep: it is what was asked for, no error and no redirect, such as that to a login; it sets
     * no cookie; and the application has not said in the older way whether it may be kept.
     */
    private static boolean mayBeStored(int status, Fields own) {
        boolean isWhatWasAskedFor = (status >= 200 && status < 300) || status == NOT_MODIFIED;
        return isWhatWasAskedFor && NOT_STORED.stream().noneMatch(own::contains);
    }

    /** The bytes of its longest line. */
    int longest() {
        int value = choices.stream()
                .mapToInt(choice -> choice.value().length())
                .max()
                .orElse(0);
        return name.length() + value + ": \r\n".length();
    }
}
