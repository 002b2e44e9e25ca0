package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.ContentFolder;
import io.penstock.loadtest.peers.Server;
import java.io.IOException;
import java.util.List;

/** An experiment of the command {@code loadtest compare}. The command runs the experiment with each server in turn. */
interface Scenario {

    /**
     * The name of the scenario, which is also the name of its command. The scenario's section in a document has this name with the prefix
     * {@code compare-}.
     */
    String name();

    /** The heading of the scenario's section in a document. */
    String title();

    /** The explanation of the procedure and of the columns, in sentences. */
    String explanation();

    /** The heading of the column with the names of the parts. It is empty if each server has only one row. */
    String partTitle();

    List<Measure> columns();

    /** The maximum number of connections that the clients have open at the same time. */
    int connections();

    /** The maximum number of files that a server has open for these connections. */
    default int files() {
        return 0;
    }

    /** Additional JVM options that the scenario needs for the servers. */
    default List<String> jvmOptions() {
        return List.of();
    }

    /** The settings of the servers, in words. */
    default String settings() {
        return "settings, if not said otherwise: " + Server.TUNED_SETTINGS;
    }

    /** Creates the files that the scenario needs. */
    default void prepare(ContentFolder content) throws IOException, InterruptedException {}

    /**
     * Measures one server once.
     *
     * @throws IOException if the measurement cannot continue; values that are already recorded stay in the results
     */
    void measure(Server server, Launch launch, Recorder recorder) throws IOException, InterruptedException;
}
