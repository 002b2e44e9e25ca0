package io.penstock.loadtest.compare.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.loadtest.client.Failure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests the recovery time of a server. The client sends a request every 10 ms. The normal latency of the server is 20 ms. */
class RecoveryTest {
    private static final long MILLI = 1_000_000;
    private static final Recovery THREE_IN_A_ROW = new Recovery(20 * MILLI, 3);
    private static final long FAILED = -1;

    @Test
    void theRecoveryTimeIsTheLatencyOfTheFirstResponseIfAllResponsesAreGood() {
        assertEquals(OptionalLong.of(20), THREE_IN_A_ROW.millis(samples(20, 20, 20, 20)));
    }

    @Test
    void theServerHasRecoveredAtTheFirstOfThreeConsecutiveGoodResponses() {
        // The client sent the third request after 20 ms. The latency was 40 ms, the limit for a good response. So the
        // response arrived after 60 ms.
        assertEquals(OptionalLong.of(60), THREE_IN_A_ROW.millis(samples(900, 41, 40, 30, 20)));
    }

    @Test
    void aFailureRestartsTheCountOfGoodResponses() {
        assertEquals(OptionalLong.of(50), THREE_IN_A_ROW.millis(samples(20, 20, FAILED, 20, 20, 20)));
    }

    @Test
    void theOrderOfTheResponsesInTheListDoesNotMatter() {
        List<Answer> shuffled = new ArrayList<>(samples(900, 41, 40, 30, 20));
        Collections.reverse(shuffled);
        assertEquals(OptionalLong.of(60), THREE_IN_A_ROW.millis(shuffled));
    }

    @Test
    void aFastRefusalIsNotAGoodResponse() {
        List<Answer> answers = new ArrayList<>(samples(20, 20, 20, 20));
        answers.set(1, new Answer(10 * MILLI, MILLI, 503, null));
        assertEquals(OptionalLong.empty(), THREE_IN_A_ROW.millis(answers));
    }

    @Test
    void theRecoveryTimeIsUnknownIfTooFewResponsesAreGood() {
        assertEquals(OptionalLong.empty(), THREE_IN_A_ROW.millis(samples(900, 20, 20)));
        assertEquals(OptionalLong.empty(), THREE_IN_A_ROW.millis(List.of()));
    }

    @Test
    void theRequiredNumberOfGoodResponsesMustBePositive() {
        assertThrows(IllegalArgumentException.class, () -> new Recovery(20 * MILLI, 0));
    }

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
}
