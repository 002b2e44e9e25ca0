package io.penstock.experiments.io.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.experiments.io.floats.FloatsBenchmark;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MicrobenchmarkTest {
    private static final Duration ITERATION_TIME = Duration.ofMillis(10);

    @BeforeAll
    static void allowConcurrentBenchmarks() {
        System.setProperty("jmh.ignoreLock", "true");
    }

    @Test
    void eachIterationInAForkedJvmAddsOneSample(@TempDir Path directory) throws Exception {
        Microbenchmark.Outcome outcome = Microbenchmark.run(
                FloatsBenchmark.class,
                new Microbenchmark.Settings(1, 0, 2, ITERATION_TIME),
                Map.of("file", directory.resolve("floats").toString()));
        assertEquals(2, outcome.iterations().values().size());
        assertTrue(outcome.iterations().lowest() > 0);
    }

    @Test
    void theExceptionOfAFailedBenchmarkContainsTheCause(@TempDir Path directory) {
        IOException failed = assertThrows(
                IOException.class,
                () -> Microbenchmark.run(
                        FloatsBenchmark.class,
                        new Microbenchmark.Settings(0, 0, 1, ITERATION_TIME),
                        Map.of("file", directory.resolve("missing/floats").toString())));
        assertTrue(failed.getMessage().contains("NoSuchFileException"), failed.getMessage());
    }

    @Test
    void invalidSettingsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Microbenchmark.Settings(1, 1, 0, ITERATION_TIME));
        assertThrows(IllegalArgumentException.class, () -> new Microbenchmark.Settings(-1, 1, 1, ITERATION_TIME));
        assertThrows(IllegalArgumentException.class, () -> new Microbenchmark.Settings(1, 1, 1, Duration.ZERO));
    }
}
