package io.penstock.loadtest.compare.setup;

import io.penstock.loadtest.peers.ProcessorUse;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Simulates the processor time that other programs use on the machine. */
public final class GivenUse {
    private GivenUse() {}

    /**
     * Each attempt of a measurement takes 100 ticks of processor time. The array {@code ticks} contains, for each attempt, the ticks that
     * other programs use.
     */
    public static OtherPrograms ofOthers(int repeats, long... ticks) {
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
