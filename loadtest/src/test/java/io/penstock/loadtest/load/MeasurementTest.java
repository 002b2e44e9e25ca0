package io.penstock.loadtest.load;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the statistics with data whose percentiles are known. */
class MeasurementTest {
    private final Measurement measurement = new Measurement(Duration.ofSeconds(1));

    @ParameterizedTest
    @CsvSource({"50, 500", "75, 750", "90, 900", "99, 990", "99.9, 999", "100, 1000"})
    void thePercentilesOfTheNumbersFromOneToAThousandAreCorrect(double percentile, double millis) {
        // The latencies are not added in sorted order.
        for (int i = 0; i < 1000; i++) {
            measurement.onAnswer(200, 1_000_000L * (1 + (i * 7) % 1000));
        }
        LoadResult result = measurement.result(Duration.ofSeconds(2), 0);
        assertEquals(millis, result.millis(percentile), 0.001 * millis);
        assertEquals(500, result.perSecond());
        assertEquals(500.5, result.latency().getMean() / 1e6, 0.5);
    }

    @Test
    void aLatencyAboveTheRangeOfTheHistogramIsRecordedAsTheLargestValue() {
        assertDoesNotThrow(() -> measurement.onAnswer(200, Long.MAX_VALUE));
        assertEquals(600_000, measurement.result(Duration.ofSeconds(1), 0).millis(100), 600);
    }

    @Test
    void theLatencyIsUndefinedIfThereAreNoResponses() {
        LoadResult result = measurement.result(Duration.ZERO, 3);
        assertTrue(Double.isNaN(result.millis(99)));
        assertEquals(0, result.perSecond());
        assertEquals(3, result.unfinished());
    }

    @Test
    void aTimeoutIsIncludedInThePercentilesWithTheDeadlineAsItsLatency() {
        for (int i = 0; i < 90; i++) {
            measurement.onAnswer(200, 1_000_000);
        }
        for (int i = 0; i < 5; i++) {
            measurement.onFailure(new CallException(Failure.DEADLINE, "too late"));
            measurement.onDeadlineBeforeSending();
        }
        LoadResult result = measurement.result(Duration.ofSeconds(1), 0);
        assertEquals(1, result.millis(90), 0.01);
        assertEquals(1000, result.millis(91), 1);
        assertEquals(90, result.answered());
        assertEquals(90, result.perSecond());
        assertEquals(100, result.requests());
    }

    @Test
    void theFirstFailureIsReportedAndAllFailuresAreCounted() {
        measurement.onFailure(new CallException(Failure.RESET, "Broken pipe"));
        measurement.onAnswer(404, 1000);
        measurement.onDeadlineBeforeSending();
        LoadResult result = measurement.result(Duration.ofSeconds(1), 0);
        assertEquals("connection reset (Broken pipe)", result.firstTrouble());
        assertEquals(Map.of(Failure.RESET, 1L, Failure.DEADLINE, 1L), result.failures());
        assertEquals(3, result.requests());
    }

    @Test
    void tooFewFileDescriptorsForTheClientAreReported() {
        assertDoesNotThrow(() -> FileDescriptors.check(100, 20, 152));
        IOException few = assertThrows(IOException.class, () -> FileDescriptors.check(100, 20, 151));
        assertEquals(
                "100 connections need 152 file descriptors, but this process may have 151: raise the limit"
                        + " with 'ulimit -n 152', or use fewer connections",
                few.getMessage());
    }

    @Test
    void tooFewFileDescriptorsForTheServerAreReported() {
        assertDoesNotThrow(() -> FileDescriptors.checkServer(100, 50, 350));
        IOException few = assertThrows(IOException.class, () -> FileDescriptors.checkServer(100, 50, 349));
        assertEquals(
                "A server with 100 connections, with up to 50 open files for them, needs 350 file descriptors,"
                        + " but a process may have 349: raise the limit with 'ulimit -n 350', or use fewer connections",
                few.getMessage());
    }
}
