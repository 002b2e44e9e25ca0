package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.peers.EpollLoop;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.util.List;

/** A process that is measured: a server, or the C epoll loop. Thread: one thread at a time. */
interface Contender extends AutoCloseable {
    /** The id of the C epoll loop, a minimal program that answers HTTP requests. It is not one of the servers; see {@link EpollLoop}. */
    String LOOP = "epoll-loop";

    /**
     * The id of the first Penstock of the {@link io.penstock.loadtest.compare.setup.Lineup}, started again with access log, metrics and
     * admin port.
     */
    String ALL_ON = "penstock-all-on";

    /**
     * The ids of the contenders that are not servers of the {@link io.penstock.loadtest.compare.setup.Lineup}. They are measured if a
     * {@link Bar} needs them.
     */
    List<String> EXTRA = List.of(ALL_ON, LOOP);

    /** The name of the contender on the command line and in files. */
    String id();

    long pid();

    Target target(String path);

    /**
     * The number of heap bytes that all live threads of the process have allocated since their start; negative if this number is not known.
     */
    long allocatedBytes() throws IOException, InterruptedException;

    @Override
    void close() throws IOException;

    /** A server that runs in its own JVM. */
    record Of(String id, ServerProcess process) implements Contender {
        @Override
        public long pid() {
            return process.pid();
        }

        @Override
        public Target target(String path) {
            return process.target(path);
        }

        @Override
        public long allocatedBytes() throws IOException, InterruptedException {
            return process.stats().allocatedBytes();
        }

        @Override
        public void close() throws IOException {
            process.close();
        }
    }

    /** The C epoll loop. It shows the minimum processor time for a request. */
    record Loop(EpollLoop process) implements Contender {
        @Override
        public String id() {
            return LOOP;
        }

        @Override
        public long pid() {
            return process.pid();
        }

        @Override
        public Target target(String path) {
            return process.target(path);
        }

        @Override
        public long allocatedBytes() {
            return -1;
        }

        @Override
        public void close() throws IOException {
            process.close();
        }
    }
}
