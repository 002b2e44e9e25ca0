package io.penstock.experiments.io.measure;

import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/** One of the comparisons of {@code experiments io}. Thread: one thread. */
public interface Experiment {
    /** The maximum size of all files of the experiment together, in bytes. */
    long bytesNeeded();

    /**
     * Runs the measurements. If a way fails, it is left out, and the other ways are still measured.
     *
     * @return a map from the label of each way that was left out to the reason; empty if all ways were measured
     * @throws IOException if nothing more can be measured
     */
    Map<String, IOException> measure(ScratchDirectory scratch, Consumer<String> progress)
            throws IOException, InterruptedException;

    /** The results so far. They are available even if {@link #measure} has thrown an exception. */
    Findings findings();
}
