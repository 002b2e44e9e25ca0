package io.penstock.loadtest.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.compare.Overload.Answers;
import io.penstock.loadtest.compare.Overload.Answers.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests the figures of a server after one second of overload, and the time of its recovery. The server can answer 100 requests per second.
 * Clients wait at most two seconds. Goodput is the number of good responses per second. The queue age is the maximum time of a request in
 * the queue.
 */
class OverloadTest {
    private static final long MILLI = 1_000_000;
    private static final long FAILED = -1;
    private static final Sizes SIZES = new Sizes(
            Overload.SIZES, false, Map.of("--duration", Duration.ofSeconds(1), "--workers", 1, "--millis", 10));
    private static final Overload DEFAULTS = new Overload(SIZES, Map.of(), Overload.NO_AGE);
    private static final Overload AGED = new Overload(SIZES, Map.of("queue-age", "500ms"), 500 * MILLI);

    private final Figures figures = new Figures();

    @Test
    void goodputIsReportedInPercentOfTheServerCapacity() {
        List<Answer> answers = many(95, 10, 200);
        // This response is good, but it arrives after the end of the overload.
        answers.add(new Answer(990 * MILLI, 20 * MILLI, 200, null));
        answers.add(new Answer(0, 2000 * MILLI, 0, Failure.DEADLINE));
        DEFAULTS.putDuring(figures, new Answers(answers), 0);
        assertEquals(95.0, figures.get(Figure.GOODPUT));
        assertEquals(95.0, figures.get(Figure.SHARE));
    }

    @Test
    void responsesAfterTheDeadlineAreNotPartOfTheGoodput() {
        List<Answer> answers = many(94, 10, 200);
        answers.addAll(Collections.nCopies(6, new Answer(-1500 * MILLI, 2001 * MILLI, 200, null)));
        DEFAULTS.putDuring(figures, new Answers(answers), 0);
        assertEquals(94.0, figures.get(Figure.GOODPUT));
        assertEquals(10.0, figures.get(Figure.GOOD_P99), 0.01);
        assertEquals(6.0, figures.get(Figure.TIMEOUTS));
    }

    @Test
    void immediateRefusalsAndRefusalsAfterTheQueueAgeAreCountedSeparately() {
        List<Answer> answers = many(100, 10, 200);
        answers.addAll(many(50, 3, 503));
        answers.addAll(many(50, 530, 503));
        AGED.putDuring(figures, new Answers(answers), 0);
        assertEquals(25.0, figures.get(Figure.REFUSED));
        assertEquals(3.0, figures.get(Figure.REFUSED_P999), 0.01);
        assertEquals(25.0, figures.get(Figure.AGED));
        assertEquals(30.0, figures.get(Figure.AGED_P999), 0.5);
    }

    @Test
    void allRefusalsAreCountedAsImmediateIfThereIsNoQueueAge() {
        List<Answer> answers = many(100, 10, 200);
        answers.addAll(many(100, 1900, 503));
        DEFAULTS.putDuring(figures, new Answers(answers), 0);
        assertEquals(50.0, figures.get(Figure.REFUSED));
        assertEquals(0.0, figures.get(Figure.AGED));
        assertTrue(Double.isNaN(figures.get(Figure.AGED_P999)));
    }

    @Test
    void outdatedRequestsAreCountedSeparatelyFromImmediateRefusals() {
        List<Answer> answers = many(100, 10, 200);
        answers.addAll(many(10, 450, 503));
        answers.addAll(many(80, 3, 503));
        answers.addAll(many(10, 530, 503));
        // The server reports 10 outdated requests: they were in the queue when the server detected the overload. Of
        // the refusals within the queue age of 500 ms, the report counts the 10 slowest as outdated.
        AGED.putDuring(figures, new Answers(answers), 10);
        assertEquals(40.0, figures.get(Figure.REFUSED));
        assertEquals(3.0, figures.get(Figure.REFUSED_P999), 0.01);
        assertEquals(5.0, figures.get(Figure.OUTDATED));
        assertEquals(450.0, figures.get(Figure.OUTDATED_P999), 0.5);
        assertEquals(5.0, figures.get(Figure.AGED));
    }

    @Test
    void theRecoveryTimeIsTheLatencyOfTheFirstResponseIfAllResponsesAreGood() {
        assertEquals(20, recovery(samples(20, 20, 20, 20)));
    }

    @Test
    void theServerHasRecoveredAtTheFirstOfThreeConsecutiveGoodResponses() {
        // The client sent the third request after 20 ms. The latency was 40 ms, the limit for a good response. So the
        // response arrived after 60 ms.
        assertEquals(60, recovery(samples(900, 41, 40, 30, 20)));
        List<Answer> shuffled = samples(900, 41, 40, 30, 20);
        Collections.reverse(shuffled);
        assertEquals(60, recovery(shuffled));
    }

    @Test
    void aFailureRestartsTheCountOfGoodResponses() {
        assertEquals(50, recovery(samples(20, 20, FAILED, 20, 20, 20)));
    }

    @Test
    void aFastRefusalIsNotAGoodResponse() {
        List<Answer> answers = samples(20, 20, 20, 20);
        answers.set(1, new Answer(10 * MILLI, MILLI, 503, null));
        assertEquals(Double.POSITIVE_INFINITY, recovery(answers));
    }

    @Test
    void aServerHasNotRecoveredIfTooFewResponsesAreGood() {
        assertEquals(Double.POSITIVE_INFINITY, recovery(samples(900, 20, 20)));
        assertEquals(Double.POSITIVE_INFINITY, recovery(List.of()));
    }

    /** The normal latency is 20 ms, and three good responses in a row are enough. */
    private static double recovery(List<Answer> answers) {
        return Overload.recoveryMillis(new Answers(answers), 20 * MILLI, 3);
    }

    /** A request every 10 ms. */
    private static List<Answer> samples(long... latencyMillis) {
        List<Answer> samples = new ArrayList<>();
        for (long latency : latencyMillis) {
            long due = samples.size() * 10 * MILLI;
            samples.add(
                    latency == FAILED
                            ? new Answer(due, 5 * MILLI, 0, Failure.RESET)
                            : new Answer(due, latency * MILLI, 200, null));
        }
        return samples;
    }

    private static List<Answer> many(int count, long latencyMillis, int status) {
        return new ArrayList<>(Collections.nCopies(count, new Answer(0, latencyMillis * MILLI, status, null)));
    }
}
