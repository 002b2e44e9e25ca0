package io.penstock.loadtest.compare.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.loadtest.client.Failure;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Counts and percentiles of fates that are known. */
class AnswersTest {
    private static final long MILLI = 1_000_000;
    private static final Answers ANSWERS = new Answers(List.of(
            new Answer(0, MILLI, 200, null),
            new Answer(10, 3 * MILLI, 204, null),
            new Answer(20, 7 * MILLI, 503, null),
            new Answer(30, 2 * MILLI, 404, null),
            new Answer(40, 2000 * MILLI, 0, Failure.DEADLINE),
            new Answer(50, MILLI, 0, Failure.CONNECT_REFUSED),
            new Answer(60, MILLI, 0, Failure.CONNECT_TIMED_OUT),
            new Answer(70, MILLI, 0, Failure.RESET)));

    @Test
    void everyFateIsCountedOnce() {
        assertEquals(8, ANSWERS.count());
        assertEquals(2, ANSWERS.good());
        assertEquals(1, ANSWERS.count(Answer::isRefusal));
        assertEquals(1, ANSWERS.count(Answer::isOtherStatus));
        assertEquals(1, ANSWERS.count(Answer::isTimeout));
        assertEquals(2, ANSWERS.count(Answer::isConnectError));
        assertEquals(1, ANSWERS.broken());
    }

    @Test
    void latenciesAreThoseOfTheChosenOnly() {
        assertEquals(2, ANSWERS.latencies(Answer::isGood).getTotalCount());
        assertEquals(3.0, ANSWERS.latencies(Answer::isGood).getMaxValue() / 1e3, 0.01);
        assertEquals(7.0, ANSWERS.latencies(Answer::isRefusal).getValueAtPercentile(99.9) / 1e3, 0.01);
    }

    @Test
    void theFirstTroubleIsToldInWords() {
        assertEquals("status 503", ANSWERS.firstTrouble());
        assertEquals("", new Answers(List.of(new Answer(0, 1, 200, null))).firstTrouble());
        assertEquals("deadline", new Answers(List.of(new Answer(0, 1, 0, Failure.DEADLINE))).firstTrouble());
    }

    @Test
    void runsAreAddedUp() {
        assertEquals(16, Answers.of(List.of(ANSWERS, ANSWERS)).count());
    }
}
