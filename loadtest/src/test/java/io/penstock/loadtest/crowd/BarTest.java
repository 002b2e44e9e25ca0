package io.penstock.loadtest.crowd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BarTest {

    @ParameterizedTest
    @CsvSource({
        "1000, 6000, true", // 5 ms more than unloaded
        "1000, 6001, false",
        "4000, 12000, true", // three times the unloaded latency
        "4000, 12001, false",
    })
    void theBarIsTheLargerOfTripleLatencyAndFiveMillisecondsMore(long unloaded, long loaded, boolean met) {
        assertEquals(met, new Bar(unloaded, loaded).isMet());
    }
}
