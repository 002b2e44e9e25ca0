package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.ContentFolder;
import io.penstock.loadtest.peers.Server;
import java.io.IOException;
import java.util.List;

/** One of the experiments that {@code compare} runs with each server in turn. */
interface Scenario {

    /** The name of its command. The name of its section in a report is {@code compare-} and this name. */
    String name();

    /** The heading of its section. */
    String title();

    /** The procedure and the meaning of the columns, in sentences. */
    String explanation();

    /** The title of the parts, if a server has several rows; empty if it has one. */
    String partTitle();

    List<Measure> columns();

    /** The most connections that this side needs at a time. */
    int connections();

    /** The most files that a server may hold open for these connections. */
    default int files() {
        return 0;
    }

    /** Further options that the scenario needs for the servers' JVMs. */
    default List<String> jvmOptions() {
        return List.of();
    }

    /** The settings of the servers, in words. */
    default String settings() {
        return "settings, if not said otherwise: " + Server.TUNED_SETTINGS;
    }

    /** Makes the files that it needs. */
    default void prepare(ContentFolder content) throws IOException, InterruptedException {}

    /**
     * Measures one server once.
     *
     * @throws IOException if the measurement cannot continue; values that are already recorded are kept
     */
    void measure(Server server, Launch launch, Recorder recorder) throws IOException, InterruptedException;
}
