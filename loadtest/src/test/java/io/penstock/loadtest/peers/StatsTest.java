package io.penstock.loadtest.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class StatsTest {
    @Test
    void valuesAreParsedInAnyOrder() {
        assertEquals(
                new ServerProcess.Stats(123_456_789_012L, 987_654_321_098L, 2, 10, 31, 5),
                ServerProcess.Stats.parse(
                        "STATS callsMost=10 heap=123456789012 allocated=987654321098 permitLongestMicros=31"
                                + " callsOpen=2 more=1 outdated=5"));
    }

    @Test
    void aMissingValueIsRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> ServerProcess.Stats.parse("STATS heap=1 callsOpen=2 callsMost=3"));
    }
}
