package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.RecordedLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a failed step of the stop does not prevent the later steps. */
class EndStepsTest {
    private final RecordedLog log = new RecordedLog();
    private final EndSteps steps = new EndSteps(log);
    private final List<String> ran = new ArrayList<>();

    @Test
    void allStepsRunAndEachFailureIsLogged() {
        steps.run("A bean was", () -> {
            throw new IllegalStateException("a bug");
        });
        steps.run("A port was", () -> {
            throw new IOException("no disk");
        });
        steps.run("A class was", () -> {
            throw new NoClassDefFoundError("Gone");
        });
        steps.run("The sessions were", () -> ran.add("sessions"));
        assertEquals(List.of("sessions"), ran);
        assertEquals(3, log.lines().size(), log.lines()::toString);
        assertTrue(
                log.lines().get(0).startsWith("ERROR A bean was not closed cleanly; the stop goes on"),
                log.lines()::toString);
        assertEquals(
                "WARN A port was not closed cleanly: java.io.IOException: no disk",
                log.lines().get(1));
        assertFalse(steps.wereInterrupted());
    }

    @Test
    void anInterruptOfAStepIsReportedAfterTheLastStep() {
        steps.run("A port was", () -> {
            throw new InterruptedException();
        });
        steps.run("The sessions were", () -> ran.add("sessions"));
        assertEquals(List.of("sessions"), ran);
        assertEquals(List.of(), log.lines());
        assertTrue(steps.wereInterrupted());
    }
}
