package io.penstock.rules;

import io.penstock.http.Fields;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The values of one response field, by path.
 *
 * @param choices the choices in the order of the rules file; the last choice that matches applies. A choice that allows caches to store the
 *     response applies only to responses that may be stored
 */
record FieldRule(String name, List<Choice> choices) {

    /** Fields that describe the content. A 304 response does not repeat these fields (RFC 9110 section 15.4.5). */
    private static final List<String> OF_CONTENT = List.of("content-disposition", "content-language");

    /** If a response has one of these fields, a rule cannot make the response cacheable. */
    private static final List<String> NOT_STORED = List.of("Set-Cookie", "Expires", "Pragma");

    private static final int NOT_MODIFIED = 304;

    FieldRule {
        choices = List.copyOf(choices);
    }

    /**
     * A value for some paths.
     *
     * @param value the value; empty if the field is not sent for these paths
     * @param allowsStorage whether the value allows caches to reuse a response without asking the server
     */
    record Choice(PathRule paths, String value, boolean allowsStorage) {
        static Choice of(PathRule paths, String name, String value) {
            return new Choice(
                    paths, value, allowsStorage(name.toLowerCase(Locale.ROOT), value.toLowerCase(Locale.ROOT)));
        }

        private static boolean allowsStorage(String name, String value) {
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
     * The choice for a path. Null if no choice matches, or if the field is not sent for this path.
     *
     * @param path the decoded path; null if the path is not known
     * @param mayBeStored if false, choices that allow storage are skipped, so that an earlier choice such as {@code no-cache} applies
     */
    private @Nullable Choice choice(@Nullable String path, boolean mayBeStored) {
        for (int i = choices.size() - 1; i >= 0; i--) {
            Choice choice = choices.get(i);
            if (choice.paths().matches(path) && (mayBeStored || !choice.allowsStorage())) {
                return choice.value().isEmpty() ? null : choice;
            }
        }
        return null;
    }

    /**
     * The value to add to a response; null if no value is added.
     *
     * @param own the response's own fields
     */
    @Nullable
    String value(int status, @Nullable String path, Fields own) {
        if (!isAddable(status, own)) {
            return null;
        }
        Choice choice = choice(path, mayBeStored(status, own));
        return choice == null ? null : choice.value();
    }

    /**
     * Whether the field can be added to a response. Vary is added even if the application has set Vary. Any other field is added only if
     * the application has not set the field.
     */
    private boolean isAddable(int status, Fields own) {
        boolean isOfContent = OF_CONTENT.contains(name.toLowerCase(Locale.ROOT));
        return !(isOfContent && status == NOT_MODIFIED) && (name.equalsIgnoreCase("Vary") || !own.contains(name));
    }

    /**
     * Whether a rule may make a response cacheable. The status must be 2xx or 304. So errors and redirects, such as a redirect to a login
     * page, are excluded. The response must not set a cookie. The application must not have set the fields Expires or Pragma.
     */
    private static boolean mayBeStored(int status, Fields own) {
        boolean isWhatWasAskedFor = (status >= 200 && status < 300) || status == NOT_MODIFIED;
        return isWhatWasAskedFor && NOT_STORED.stream().noneMatch(own::contains);
    }

    /** The number of bytes of the longest possible field line. */
    int longest() {
        int value = choices.stream()
                .mapToInt(choice -> choice.value().length())
                .max()
                .orElse(0);
        return name.length() + value + ": \r\n".length();
    }
}
