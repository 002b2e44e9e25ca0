package io.penstock.loadtest.compare;

import io.penstock.loadtest.peers.ProcessorUse;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Simulates the processor time that other programs use on the machine. */
final class SimulatedProcessorUse {
    private SimulatedProcessorUse() {}

    /**
     * Simulates a machine on which each attempt of a measurement lasts 100 ticks.
     *
     * @param ticks the number of ticks that other programs use, for each attempt
     */
    static OtherPrograms ofOthers(int repeats, long... ticks) {
        AtomicInteger looks = new AtomicInteger();
        return new OtherPrograms(repeats, () -> {
            int look = looks.getAndIncrement();
            return Optional.of(
                    look % 2 == 0
                            ? new ProcessorUse(0, 0, 0, 0, 0, 0)
                            : new ProcessorUse(100, 0, 0, 0, 0, ticks[look / 2]));
        });
    }
}
