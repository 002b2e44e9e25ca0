package io.penstock.boot.autoconfigure;

import io.penstock.limits.ClosestName;
import io.penstock.limits.Key;
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
        String closest = ClosestName.to(key, Key.ids().filter(id -> !PenstockProperties.isOfBoot(id)));
        return new FailureAnalysis(
                cause.getMessage() + "." + problem,
                (closest == null ? "" : "Use " + PenstockProperties.PREFIX + "." + closest + " if that is meant. ")
                        + "Penstock's configuration reference (docs/configuration.md) lists all keys, and editors complete"
                        + " them. Write several values of a key as one text, separated by commas.",
                cause);
    }
}
