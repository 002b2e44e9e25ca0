package io.penstock.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the format of times and counts in texts for operators. */
class FiguresTest {

    @ParameterizedTest
    @CsvSource({
        "0, 'less than 1 \u00b5s'",
        "PT0.000000999S, 'less than 1 \u00b5s'",
        "PT0.000045S, '45 \u00b5s'",
        "PT0.0012S, '1.2 ms'",
        "PT0.002S, '2 ms'",
        "PT0.38S, '380 ms'",
        "PT1.25S, '1.3 s'",
        "PT10S, '10 s'",
        "PT90S, '90 s'",
        "PT30M, '30 min'"
    })
    void aTimeIsShownInASuitableUnit(String time, String shown) {
        long nanos = time.equals("0") ? 0 : Duration.parse(time).toNanos();
        assertEquals(shown, Figures.time(nanos));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "2.6, 2.6", "2.96, 3", "9.94, 9.9", "9.96, 10", "12.6, 13", "'4000.2', '4,000'"})
    void aRateBelowTenIsShownWithAtMostOneDecimal(double rate, String shown) {
        assertEquals(shown, Figures.count(rate));
    }

    @Test
    void theNounAfterACountIsSingularOrPlural() {
        assertEquals("1 client", Figures.count(1, "client"));
        assertEquals("0 clients", Figures.count(0, "client"));
        assertEquals("4,000 clients", Figures.count(4000, "client"));
        assertEquals("1 client", Figures.count(1.04, "client"));
        assertEquals("1.1 clients", Figures.count(1.06, "client"));
    }
}
