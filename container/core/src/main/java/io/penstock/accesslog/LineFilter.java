package io.penstock.accesslog;

import io.penstock.events.Notes;
import io.penstock.events.RequestSummary;
import io.penstock.limits.AccessLogging;
import io.penstock.limits.Key;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests get a line. A condition is the name of a field, and holds if the request has a value for it; or it is {@code
 * FIELD=PATTERN}, and holds if the word that a line would have for the field matches. In a pattern, {@code *} is any text.
 *
 * <p>Thread: any, also several at once.
 *
 * @param only conditions of which one must hold; empty for no condition
 * @param unless conditions of which none may hold
 */
record LineFilter(List<Condition> only, List<Condition> unless) {

    /** @param pattern the texts between the stars of the pattern; null if any value is enough */
    private record Condition(LogField field, @Nullable List<String> pattern) {
        static Condition of(Key key, String text, String node) {
            int equals = text.indexOf('=');
            try {
                return equals < 0
                        ? new Condition(LogField.of(text, node), null)
                        : new Condition(
                                LogField.of(text.substring(0, equals), node),
                                List.of(text.substring(equals + 1).split("\\*", -1)));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(key.id() + ": " + e.getMessage(), e);
            }
        }

        /** The word may be the client's and is long, so each text is searched once, and none again. */
        private static boolean matches(List<String> pattern, String word) {
            String first = pattern.get(0);
            String last = pattern.get(pattern.size() - 1);
            if (pattern.size() == 1) {
                return word.equals(first);
            }
            int from = first.length();
            int end = word.length() - last.length();
            if (from > end || !word.startsWith(first) || !word.endsWith(last)) {
                return false;
            }
            for (String text : pattern.subList(1, pattern.size() - 1)) {
                int found = word.indexOf(text, from);
                if (found < 0 || found + text.length() > end) {
                    return false;
                }
                from = found + text.length();
            }
            return true;
        }

        boolean holds(RequestSummary summary, Notes notes, LineBuffer scratch) {
            scratch.clear();
            field.word().write(summary, notes, scratch);
            String word = scratch.text();
            return pattern == null ? !word.equals("-") : matches(pattern, word);
        }
    }

    /**
     * The conditions of the configuration.
     *
     * @throws IllegalArgumentException if a field does not exist; the message contains the configuration key
     */
    static LineFilter of(AccessLogging config) {
        return new LineFilter(
                conditions(Key.ACCESS_LOG_IF, config.only(), config.node()),
                conditions(Key.ACCESS_LOG_UNLESS, config.unless(), config.node()));
    }

    private static List<Condition> conditions(Key key, List<String> texts, String node) {
        return texts.stream().map(text -> Condition.of(key, text, node)).toList();
    }

    /** What the server must note of each request for the conditions. */
    Notes.Wanted wanted() {
        return LogField.wanted(Stream.concat(only.stream(), unless.stream())
                .map(Condition::field)
                .toList());
    }

    /** @param scratch a buffer whose content is replaced */
    boolean accepts(RequestSummary summary, Notes notes, LineBuffer scratch) {
        return (only.isEmpty() || anyHolds(only, summary, notes, scratch))
                && (unless.isEmpty() || !anyHolds(unless, summary, notes, scratch));
    }

    private static boolean anyHolds(
            List<Condition> conditions, RequestSummary summary, Notes notes, LineBuffer scratch) {
        for (Condition condition : conditions) {
            if (condition.holds(summary, notes, scratch)) {
                return true;
            }
        }
        return false;
    }
}
