package io.penstock.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.OS;

class SignalsTest {
    private static final int ENDED_BY_TERM = 128 + 15;

    @BeforeEach
    void requireSignals() {
        assumeTrue(OS.LINUX.isCurrentOs(), "needs signals");
    }

    /** Starts a process that waits for its input. */
    private static Process waiting() throws Exception {
        return new ProcessBuilder("cat").start();
    }

    @Test
    void eachProcessGetsTheSignal() throws Exception {
        Process one = waiting();
        Process other = waiting();
        assertTrue(Signals.send("TERM", one.pid(), other.pid()));
        assertEquals(ENDED_BY_TERM, one.waitFor());
        assertEquals(ENDED_BY_TERM, other.waitFor());
    }

    @Test
    void theSignalIsSentToOtherProcessesIfAProcessHasEnded() throws Exception {
        Process ended = waiting();
        ended.getOutputStream().close();
        assertEquals(0, ended.waitFor());
        Process other = waiting();
        assertFalse(Signals.send("TERM", ended.pid(), other.pid()));
        assertEquals(ENDED_BY_TERM, other.waitFor());
    }
}
