package io.penstock.boot.autoconfigure;

import io.penstock.limits.Key;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Describes an unknown property for the user, and suggests a similar property. */
final class UnknownPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnknownPropertyException> {

    @Override
    protected FailureAnalysis analyze(Throwable root, UnknownPropertyException cause) {
        String key = cause.name().substring(PenstockProperties.PREFIX.length() + 1);
        String replacement = Key.replacementOf(key);
        String problem = replacement == null
                ? ""
                : System.lineSeparator() + System.lineSeparator() + key + " " + replacement + ".";
        String nearest = nearest(key);
        return new FailureAnalysis(
                cause.getMessage() + "." + problem,
                (nearest == null ? "" : "Use " + PenstockProperties.PREFIX + "." + nearest + " if that is meant. ")
                        + "Penstock's configuration reference (docs/configuration.md) lists all keys, and editors complete"
                        + " them. Write several values of a key as one text, separated by commas.",
                cause);
    }

    /** The key with the longest common beginning with {@code name}; null if no key has more than three common letters. */
    private static @Nullable String nearest(String name) {
        String given = plain(name);
        String best = null;
        int most = 3; // a shorter common beginning is ignored
        for (Key key : Key.values()) {
            String id = plain(key.id());
            int common = 0;
            while (common < Math.min(id.length(), given.length()) && id.charAt(common) == given.charAt(common)) {
                common++;
            }
            if (common > most && !PenstockProperties.isOfBoot(key.id())) {
                most = common;
                best = key.id();
            }
        }
        return best;
    }

    private static String plain(String name) {
        return name.replaceAll("[-._\\[\\]]", "");
    }
}
