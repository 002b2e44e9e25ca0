package io.penstock.loadtest.crowd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the limit for the p99 latency of normal requests if a server also has slow clients. The latencies are in microseconds. */
class AllowedLatencyTest {

    @ParameterizedTest
    @CsvSource({
        "1000, 6000, true", // 5 ms more than the unloaded latency
        "1000, 6001, false",
        "4000, 12000, true", // three times the unloaded latency
        "4000, 12001, false",
    })
    void theLimitIsTheMaximumOfTripleLatencyAndLatencyPlusFiveMilliseconds(long unloaded, long loaded, boolean met) {
        assertEquals(met, loaded <= RunningCrowd.allowedP99(unloaded));
    }
}
