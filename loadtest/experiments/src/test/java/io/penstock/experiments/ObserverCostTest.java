package io.penstock.experiments;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.experiments.io.measure.Microbenchmark;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the benchmark {@link ObserverCost} with each set of observers. The runs are too short for valid results. */
@Timeout(120)
class ObserverCostTest {
    private static final Microbenchmark.Settings SHORTEST_RUN =
            new Microbenchmark.Settings(0, 0, 1, Duration.ofMillis(20));

    @BeforeAll
    static void allowConcurrentBenchmarks() {
        System.setProperty("jmh.ignoreLock", "true");
    }

    @ParameterizedTest
    @EnumSource
    void everySetOfObserversIsMeasured(ObserverCost.Observers observers) throws Exception {
        Microbenchmark.Outcome outcome =
                Microbenchmark.run(ObserverCost.class, SHORTEST_RUN, Map.of("observers", observers.name()));
        assertTrue(outcome.iterations().median() > 0);
    }
}
