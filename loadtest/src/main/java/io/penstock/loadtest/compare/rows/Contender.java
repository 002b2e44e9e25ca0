package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.peers.EpollLoop;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.util.List;

/** A process that answers requests. Thread: one at a time. */
interface Contender extends AutoCloseable {
    /** The C epoll loop, which is not one of the servers. */
    String LOOP = "epoll-loop";

    /** The first Penstock of the lineup, with access log, metrics and admin port. */
    String ALL_ON = "penstock-all-on";

    /** The contenders that are not separate servers. They take turns if a bar needs them. */
    List<String> EXTRA = List.of(ALL_ON, LOOP);

    /** Its name on the command line and in files. */
    String id();

    long pid();

    Target target(String path);

    /** Bytes of the heap that its threads have allocated so far; negative if that is not known. */
    long allocatedBytes() throws IOException, InterruptedException;

    @Override
    void close() throws IOException;

    /** A server in its JVM. */
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

    /** The minimal work of a server. */
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
