package io.penstock.loadtest.compare.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.loadtest.client.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Tests the counts and the latency percentiles of {@link Answers}. The tests supply the outcome of each request. */
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
    void everyRequestIsCountedInExactlyOneCategory() {
        assertEquals(8, ANSWERS.count());
        assertEquals(2, ANSWERS.good());
        assertEquals(1, ANSWERS.count(Answer::isRefusal));
        assertEquals(1, ANSWERS.count(Answer::isOtherStatus));
        assertEquals(1, ANSWERS.count(Answer::isTimeout));
        assertEquals(2, ANSWERS.count(Answer::isConnectError));
        assertEquals(1, ANSWERS.broken());
    }

    @Test
    void latenciesIncludeOnlyTheSelectedAnswers() {
        assertEquals(2, ANSWERS.latencies(Answer::isGood).getTotalCount());
        assertEquals(3.0, ANSWERS.latencies(Answer::isGood).getMaxValue() / 1e3, 0.01);
        assertEquals(7.0, ANSWERS.latencies(Answer::isRefusal).getValueAtPercentile(99.9) / 1e3, 0.01);
    }

    @Test
    void failedRequestsAreIncludedInThePercentilesWithTheDeadlineAsLatency() {
        Histogram all = ANSWERS.latenciesOfAll(Duration.ofSeconds(2));
        assertEquals(8, all.getTotalCount());
        assertEquals(1.0, all.getValueAtPercentile(12) / 1e3, 0.01);
        assertEquals(3.0, all.getValueAtPercentile(25) / 1e3, 0.01);
        assertEquals(2000, all.getValueAtPercentile(26) / 1e3, 2);
        assertEquals(2000, all.getMaxValue() / 1e3, 2);
    }

    @Test
    void theMedianLatencyIsTheDeadlineIfFewRequestsAreAnswered() {
        List<Answer> answers = new ArrayList<>(Collections.nCopies(5, new Answer(0, MILLI, 200, null)));
        answers.addAll(Collections.nCopies(9_995, new Answer(0, 2000 * MILLI, 0, Failure.DEADLINE)));
        Histogram all = new Answers(answers).latenciesOfAll(Duration.ofSeconds(2));
        assertEquals(2000, all.getValueAtPercentile(50) / 1e3, 2);
    }

    @Test
    void theFirstFailureIsDescribedInWords() {
        assertEquals("status 503", ANSWERS.firstTrouble());
        assertEquals("", new Answers(List.of(new Answer(0, 1, 200, null))).firstTrouble());
        assertEquals("deadline", new Answers(List.of(new Answer(0, 1, 0, Failure.DEADLINE))).firstTrouble());
    }

    @Test
    void theRequestsOfSeveralRunsAreCountedTogether() {
        assertEquals(16, Answers.of(List.of(ANSWERS, ANSWERS)).count());
    }
}
