package io.penstock.experiments.io.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class NumbersTest {
    @Test
    void smallNumbersHaveMoreDecimalsThanLargeNumbers() {
        assertEquals("0.46", Numbers.number(0.456));
        assertEquals("12.3", Numbers.number(12.34));
        assertEquals("1,235", Numbers.number(1234.5678));
        assertEquals("5.43×", Numbers.factor(5.43));
    }

    @Test
    void aRangeIsShownInPercentOfAGivenValue() {
        assertEquals("100–145 %", Numbers.percents(2, 2.9, 2));
    }

    @Test
    void bytesAreShownInTheLargestUnitThatGivesAWholeNumber() {
        assertEquals("16 MB", Numbers.bytes(16 << 20));
        assertEquals("3 KB", Numbers.bytes(3 << 10));
        assertEquals("2,300,047,434 bytes", Numbers.bytes(2_300_047_434L));
    }
}
