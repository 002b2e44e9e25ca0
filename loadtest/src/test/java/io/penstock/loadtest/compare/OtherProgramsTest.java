package io.penstock.loadtest.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests that a run is repeated if other programs disturbed the run. A run is disturbed if other programs used more than 10 % of the
 * machine. If all attempts were disturbed, the last attempt is kept and reported as disturbed. The tests simulate the processor time of the
 * other programs.
 */
class OtherProgramsTest {
    private final List<Double> dropped = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
    private int attempts;
    private int failing;

    @Test
    void anUndisturbedRunIsNotRepeated() throws Exception {
        OtherPrograms others = SimulatedProcessorUse.ofOthers(2, 3);
        assertEquals(new OtherPrograms.Watched<>(1, 0.03), run(others));
        assertEquals(
                "Other programs: they used at most 3 % of this machine in each of the 1 runs that count.",
                others.verdict());
    }

    @Test
    void aDisturbedRunIsDroppedAndRepeated() throws Exception {
        OtherPrograms others = SimulatedProcessorUse.ofOthers(2, 40, 5);
        assertEquals(new OtherPrograms.Watched<>(2, 0.05), run(others));
        assertEquals(List.of(0.4), dropped);
        assertEquals(
                "Other programs: they used at most 5 % of this machine in each of the 1 runs that count."
                        + " Disturbed runs that were repeated: 1.",
                others.verdict());
    }

    @Test
    void theLastAttemptIsKeptAndReportedIfAllAttemptsWereDisturbed() throws Exception {
        OtherPrograms others = SimulatedProcessorUse.ofOthers(2, 40, 30, 20, 0);
        assertEquals(new OtherPrograms.Watched<>(3, 0.2), run(others));
        assertEquals(new OtherPrograms.Watched<>(4, 0.0), run(others));
        assertEquals(List.of(0.4, 0.3), dropped);
        assertEquals(
                "DISTURBED: other programs used up to 20 % of this machine in 1 of 2 runs that count (more than 10 %)."
                        + " The rows that are marked are not to be trusted: measure again when the machine has nothing"
                        + " else to do. Disturbed runs that were repeated: 2.",
                others.verdict());
    }

    @Test
    void aRunIsUndisturbedIfOtherProgramsUseExactlyTheAllowedTenPercent() throws Exception {
        assertEquals(new OtherPrograms.Watched<>(1, 0.1), run(SimulatedProcessorUse.ofOthers(2, 10, 0)));
    }

    @Test
    void aDisturbedRunIsKeptIfNoRepetitionIsAllowed() throws Exception {
        OtherPrograms others = SimulatedProcessorUse.ofOthers(0, 50, 0);
        assertEquals(new OtherPrograms.Watched<>(1, 0.5), run(others));
        assertTrue(others.verdict().startsWith("DISTURBED: other programs used up to 50 %"), others.verdict());
    }

    @Test
    void aRunWithoutDataAboutOtherProgramsIsReportedAndNotRepeated() throws Exception {
        OtherPrograms others = new OtherPrograms(2, Optional::empty);
        assertTrue(Double.isNaN(run(others).othersUsed()));
        assertTrue(others.verdict().startsWith("Other programs: not watched"), others.verdict());
    }

    @Test
    void aDisturbedRunIsKeptIfTheNextRepetitionFails() throws Exception {
        OtherPrograms others = SimulatedProcessorUse.ofOthers(3, 40, 30, 0);
        failing = 3;
        assertEquals(new OtherPrograms.Watched<>(2, 0.3), run(others));
        assertEquals(List.of(0.4, 0.3), dropped);
        assertEquals(List.of("attempt 3 failed"), failed);
        assertTrue(others.verdict().startsWith("DISTURBED: other programs used up to 30 %"), others.verdict());
    }

    @Test
    void aFailedFirstAttemptIsNotRepeated() {
        failing = 1;
        assertThrows(IOException.class, () -> run(SimulatedProcessorUse.ofOthers(2, 40, 0)));
        assertEquals(1, attempts);
    }

    private OtherPrograms.Watched<Integer> run(OtherPrograms others) throws Exception {
        return others.watch(this::attempt, dropped::add, why -> failed.add(why.getMessage()));
    }

    private int attempt() throws IOException {
        attempts++;
        if (attempts == failing) {
            throw new IOException("attempt " + attempts + " failed");
        }
        return attempts;
    }
}
