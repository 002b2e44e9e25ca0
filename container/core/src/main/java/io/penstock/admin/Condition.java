package io.penstock.admin;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The present condition of a server. One short sentence names the worst problem and its visible cause. Further sentences give details. The
 * flow board, the live page for operators, shows the condition.
 *
 * @param tone how serious the condition is
 * @param details further sentences, for example about other problems
 * @param at the parts of the flow board that show the problem
 */
record Condition(Tone tone, String sentence, List<String> details, Set<Part> at) {
    /** How serious the condition is. */
    enum Tone {
        /** An operator need not act. */
        CALM("Calm"),
        /** An operator need not act. Some clients are slow, but do not slow down the server. */
        SLOW("Slow clients"),
        /** The server is starting or stopping. */
        NOT_READY("Not ready"),
        /** An operator should look at a problem, but the server works for most clients. */
        ATTENTION("Attention"),
        /** The server works at full capacity. */
        BUSY("Busy"),
        /** The server refuses requests, or requests do not proceed. */
        BAD("Trouble");

        private final String word;

        Tone(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /**
     * The parts of the flow board that can show the cause of a problem. A request passes the parts from {@link #CLIENTS} to {@link
     * #DRAINING} in this order.
     */
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

    /** Combines this condition with another. The sentences of {@code other} become details. The parts of {@code other} are marked, too. */
    Condition and(Condition other) {
        List<String> all = concat(details, concat(List.of(other.sentence), other.details));
        Set<Part> parts = EnumSet.noneOf(Part.class);
        parts.addAll(at);
        parts.addAll(other.at);
        return new Condition(tone.compareTo(other.tone) >= 0 ? tone : other.tone, sentence, all, parts);
    }

    /** The same condition without marked parts. The board then marks only the parts of the worse problem. */
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
