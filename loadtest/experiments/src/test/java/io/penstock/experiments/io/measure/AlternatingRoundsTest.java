package io.penstock.experiments.io.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.experiments.io.measure.AlternatingRounds.Way;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests alternating rounds. A way is one of the compared methods, for example a method to copy a file. Each round measures each way once.
 */
class AlternatingRoundsTest {
    private final List<String> taken = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    @Test
    void eachWayIsRunOnceInEveryRoundAndWarmUpRoundsAreNotMeasured() throws InterruptedException {
        AlternatingRounds rounds = rounds(way("a"), way("b"));
        rounds.run(1, 2);
        assertEquals(List.of("a", "b", "a", "b", "a", "b"), taken);
        assertEquals(List.of(3.0, 5.0), rounds.measured().get("a").values());
        assertEquals(List.of(4.0, 6.0), rounds.measured().get("b").values());
        assertEquals(6, lines.size());
    }

    @Test
    void aFailedWayIsSkippedInLaterRounds() throws InterruptedException {
        Way failing = new Way("f", () -> {
            taken.add("f");
            throw new IOException("no route");
        });
        AlternatingRounds rounds = rounds(failing, way("a"));
        rounds.run(0, 2);
        assertEquals(List.of("f", "a", "a"), taken);
        assertEquals("no route", rounds.failures().get("f").getMessage());
        assertFalse(rounds.measured().containsKey("f"));
        assertTrue(lines.contains("f: no route"));
    }

    @Test
    void anInterruptEndsTheRoundsAndTheEarlierMeasurementsAreKept() {
        Way interrupted = new Way("i", () -> {
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
        });
        AlternatingRounds rounds = rounds(way("a"), interrupted);
        assertThrows(InterruptedException.class, () -> rounds.run(0, 3));
        assertEquals(List.of(1.0), rounds.measured().get("a").values());
        assertTrue(rounds.failures().isEmpty());
    }

    private AlternatingRounds rounds(Way... ways) {
        return new AlternatingRounds(List.of(ways), "ms", lines::add);
    }

    private Way way(String label) {
        return new Way(label, () -> {
            taken.add(label);
            return taken.size();
        });
    }
}
