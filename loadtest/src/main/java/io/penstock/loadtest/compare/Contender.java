package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.compare.Setup.Lineup;
import io.penstock.loadtest.compare.Work.Bar;
import io.penstock.loadtest.peers.EpollLoop;
import io.penstock.loadtest.peers.Peer;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.util.List;

/**
 * A running server of a {@link Job.Together}.
 *
 * @param id the name of the server on the command line and in files
 */
record Contender(String id, Peer peer) {
    /**
     * The id of the C epoll loop, a minimal program that answers HTTP requests. It shows the minimum processor time; see {@link EpollLoop}.
     */
    static final String LOOP = "epoll-loop";

    /** The id of the first Penstock of the {@link Lineup}, started again with access log, metrics and admin port. */
    static final String ALL_ON = "penstock-all-on";

    /** The ids of the contenders that are not servers of the {@link Lineup}. They are measured if a {@link Bar} needs them. */
    static final List<String> EXTRA = List.of(ALL_ON, LOOP);

    Target target(String path) {
        return peer.target(path);
    }

    /**
     * The number of heap bytes that all live threads of the process have allocated since their start; negative if this number is not known.
     */
    long allocatedBytes() throws IOException, InterruptedException {
        return peer instanceof ServerProcess process ? process.stats().allocatedBytes() : -1;
    }
}
