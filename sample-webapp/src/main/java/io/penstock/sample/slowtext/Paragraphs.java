package io.penstock.sample.slowtext;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** An endless text in paragraphs of about one kilobyte. */
final class Paragraphs {
    private static final String[] SENTENCES = {
        "Water comes down the mountain as it likes, in a trickle or in a flood.",
        "The pipe takes what comes and hands on what is wanted.",
        "Nobody at the turbine knows how the weather was upstream.",
        "A small basin above the pipe smooths what an hour brings, a lake what a season brings.",
        "When the basin is full the gate closes, and the stream must wait in its own bed.",
        "Where a valley is wide the pipe leans against the slope and takes its time.",
        "The turbine turns evenly, for what reaches it has been made even.",
        "Somebody walks along the pipe once a day and listens.",
        "Behind the turbine the water is as free as before, only lower.",
        "It takes a long pipe to make a steady wheel out of an unsteady brook.",
        "A valve that shuts too fast makes the whole pipe ring like a bell.",
    };
    private static final int SENTENCES_IN_ONE = 14;

    private Paragraphs() {}

    /** The paragraph with the given number. The first paragraph has number 1. */
    static String number(int number) {
        String sentences = IntStream.range(0, SENTENCES_IN_ONE)
                .mapToObj(i -> SENTENCES[Math.floorMod(number * 7 + i * 5, SENTENCES.length)])
                .collect(Collectors.joining(" "));
        return String.format(Locale.ROOT, "%4d  %s\n\n", number, sentences);
    }
}
