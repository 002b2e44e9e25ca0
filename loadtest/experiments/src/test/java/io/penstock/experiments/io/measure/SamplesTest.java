package io.penstock.experiments.io.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class SamplesTest {
    @Test
    void theMedianOfThreeUnsortedValuesIsTheMiddleValue() {
        assertEquals(3, Samples.of(9, 1, 3).median());
    }

    @Test
    void theMedianOfFourValuesIsTheMeanOfTheTwoMiddleValues() {
        assertEquals(2.5, Samples.of(9, 1, 3, 2).median());
    }

    @Test
    void theLowestAndTheHighestValueOfUnsortedSamplesAreFound() {
        assertEquals(1, Samples.of(9, 1, 3).lowest());
        assertEquals(9, Samples.of(9, 1, 3).highest());
    }

    @Test
    void theMedianOfNoSamplesCausesAnException() {
        assertThrows(IllegalStateException.class, () -> new Samples().median());
    }
}
