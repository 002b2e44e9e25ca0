package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.ContentFolder;
import io.penstock.loadtest.peers.Server;
import java.io.IOException;
import java.util.List;

/** One of the experiments that {@code compare} runs with each server in turn. */
interface Scenario {

    /** The name of its command; with {@code compare-} before it the name of its section in a report. */
    String name();

    /** The heading of its section. */
    String title();

    /** What is done and what the columns mean, in sentences. */
    String explanation();

    /** What its rows are called that one server has several of; empty if it has one. */
    String partTitle();

    List<Measure> columns();

    /** How many connections this side needs at a time, at most. */
    int connections();

    /** How many files a server may hold open for them, at most. */
    default int files() {
        return 0;
    }

    /** Options of the servers' JVMs that it needs beside those of the comparison. */
    default List<String> jvmOptions() {
        return List.of();
    }

    /** How the servers are set up, in words. */
    default String settings() {
        return "except where it is said otherwise: " + Server.TUNED_SETTINGS;
    }

    /** Makes the files that it needs. */
    default void prepare(ContentFolder content) throws IOException {}

    /**
     * Measures one server once.
     *
     * @throws IOException if it cannot be measured any further; what has been recorded stays
     */
    void measure(Server server, Launch launch, Recorder recorder) throws IOException, InterruptedException;
}
