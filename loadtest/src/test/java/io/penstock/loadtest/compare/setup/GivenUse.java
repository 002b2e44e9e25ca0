package io.penstock.loadtest.compare.setup;

import io.penstock.loadtest.peers.ProcessorUse;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A machine whose use by other programs is set by the test. */
public final class GivenUse {
    private GivenUse() {}

    /** Each attempt takes a hundred ticks, of which others use so many. */
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
