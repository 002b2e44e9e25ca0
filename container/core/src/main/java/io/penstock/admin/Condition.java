package io.penstock.admin;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The present condition of a server: the worst problem with its visible cause in one short sentence, and details.
 *
 * @param tone how serious the condition is
 * @param details further sentences, such as figures of the problem, and other problems
 * @param at the parts of the board that show the problem
 */
record Condition(Tone tone, String sentence, List<String> details, Set<Part> at) {
    /** How serious the condition is. */
    enum Tone {
        /** Nothing to do. */
        CALM("Calm"),
        /** Nothing to do, but visible: clients are slow, at no cost. */
        SLOW("Slow clients"),
        /** The server is starting or ending. */
        NOT_READY("Not ready"),
        /** An operator should look at a problem, but most functions work. */
        ATTENTION("Attention"),
        /** Working at capacity. */
        BUSY("Busy"),
        /** Clients are refused, or their requests do not proceed. */
        BAD("Trouble");

        private final String word;

        Tone(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /** The parts of the board that can show a cause: first those that a request passes. */
    enum Part {
        CLIENTS,
        ARRIVING,
        QUEUE,
        WORKERS,
        DRAINING,
        BULKHEADS,
        RESERVES,
        CERTIFICATES,
        FAILURES,
        REFUSALS
    }

    Condition {
        details = List.copyOf(details);
        at = Set.copyOf(at);
    }

    Condition(Tone tone, String sentence, List<String> details, Part... at) {
        this(tone, sentence, details, Set.of(at));
    }

    /** Combines this problem with another. The sentences of {@code other} become details, and its parts of the board are marked, too. */
    Condition and(Condition other) {
        List<String> all = concat(details, concat(List.of(other.sentence), other.details));
        Set<Part> parts = EnumSet.noneOf(Part.class);
        parts.addAll(at);
        parts.addAll(other.at);
        return new Condition(tone.compareTo(other.tone) >= 0 ? tone : other.tone, sentence, all, parts);
    }

    /** The same condition without marked parts, so that it does not distract from a worse problem. */
    Condition unmarked() {
        return new Condition(tone, sentence, details);
    }

    Condition with(List<String> furtherDetails) {
        return new Condition(tone, sentence, concat(details, furtherDetails), at);
    }

    private static List<String> concat(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
