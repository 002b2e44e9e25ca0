package io.penstock.loadtest.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void theMedianOfAnOddNumberOfValuesIsTheMiddleValue() {
        assertEquals(new Spread(3, 1, 100), Spread.of(List.of(100, 1, 3)));
    }

    @Test
    void theMedianOfAnEvenNumberOfValuesIsTheMeanOfTheTwoMiddleValues() {
        assertEquals(new Spread(3.5, 1, 9), Spread.of(List.of(9.0, 3.0, 1.0, 4.0)));
    }

    @Test
    void aSingleValueIsTheMedianAndTheMinimumAndTheMaximum() {
        assertEquals(new Spread(7, 7, 7), Spread.of(List.of(7L)));
    }

    @Test
    void anEmptyListIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Spread.of(List.of()));
    }
}
