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
        assumeTrue(OS.LINUX.isCurrentOs(), "the test sends signals, which needs Linux");
    }

    /** Starts a process that waits for its input. */
    private static Process startWaitingProcess() throws Exception {
        return new ProcessBuilder("cat").start();
    }

    @Test
    void eachProcessReceivesTheSignal() throws Exception {
        Process one = startWaitingProcess();
        Process other = startWaitingProcess();
        assertTrue(Signals.send("TERM", one.pid(), other.pid()));
        assertEquals(ENDED_BY_TERM, one.waitFor());
        assertEquals(ENDED_BY_TERM, other.waitFor());
    }

    @Test
    void theSignalIsSentToTheOtherProcessIfOneProcessHasEnded() throws Exception {
        Process ended = startWaitingProcess();
        ended.getOutputStream().close();
        assertEquals(0, ended.waitFor());
        Process other = startWaitingProcess();
        assertFalse(Signals.send("TERM", ended.pid(), other.pid()));
        assertEquals(ENDED_BY_TERM, other.waitFor());
    }
}
