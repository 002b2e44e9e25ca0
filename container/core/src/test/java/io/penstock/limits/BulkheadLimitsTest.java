package io.penstock.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests the configuration of bulkheads, which limit the workers and the disk writes of one path. Their limits are settings of an
 * application. A setting without effect is an error.
 */
final class BulkheadLimitsTest {
    private final ConfigurationSources sources = new ConfigurationSources();

    private void configure(String name, String text) {
        sources.flag(name, text, new Origin.Code());
    }

    private List<BulkheadLimits> bulkheads() {
        return ServerConfig.of(sources.resolve()).bulkheads();
    }

    private String problem() {
        return String.valueOf(
                assertThrows(ConfigurationException.class, this::bulkheads).getMessage());
    }

    @Test
    void noBulkheadExistsWithoutBulkheadSettings() {
        configure("/shop:session-timeout", "20m");
        assertEquals(List.of(), bulkheads());
    }

    @Test
    void theKeyBulkheadQueueIsTheDefaultForTheQueueOfABulkhead() {
        configure("bulkhead-queue", "7");
        configure("/reports:max-workers", "4");
        configure("/shop/export:max-workers", "2");
        configure("/shop/export:max-queued", "0");
        configure("/upload:max-spool-writes", "8");
        assertEquals(
                List.of(
                        new BulkheadLimits("/reports", 4, 7, BulkheadLimits.NO_LIMIT),
                        new BulkheadLimits("/shop/export", 2, 0, BulkheadLimits.NO_LIMIT),
                        new BulkheadLimits("/upload", BulkheadLimits.NO_LIMIT, 7, 8)),
                bulkheads());
    }

    @Test
    void aLimitOfQueuedRequestsWithoutALimitOfWorkersIsAnError() {
        configure("/reports:max-queued", "4");
        assertEquals("/reports:max-queued needs /reports:max-workers, for which requests wait (from code)", problem());
    }

    @Test
    void aBulkheadForAUrlPatternIsAnError() {
        configure("/shop/export/*:max-workers", "4");
        assertEquals(
                "/shop/export/*:max-workers: write /shop/export:max-workers, which covers all paths below it (from code)",
                problem());
    }

    @Test
    void aNegativeValueOfTheKeyBulkheadQueueIsAnError() {
        configure("bulkhead-queue", "-1");
        assertEquals("bulkhead-queue must be at least 0, not -1 (from code)", problem());
    }
}
