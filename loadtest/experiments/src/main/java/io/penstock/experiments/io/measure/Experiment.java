package io.penstock.experiments.io.measure;

import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/** One of the comparisons of {@code experiments io}. Thread: one. */
public interface Experiment {
    /** The largest size of all its files together, in bytes. */
    long bytesNeeded();

    /**
     * Runs the measurements. A way that fails is left out, and the others go on.
     *
     * @return why ways were left out, by their labels; empty if all is measured
     * @throws IOException if nothing more can be measured
     */
    Map<String, IOException> measure(ScratchDirectory scratch, Consumer<String> progress)
            throws IOException, InterruptedException;

    /** The measurements, also after {@link #measure} has ended with an exception. */
    Findings findings();
}
