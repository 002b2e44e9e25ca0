package io.penstock.reactor;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few spare file descriptors, held while connections are accepted. When the system has no descriptor left, the spare descriptors are
 * released, so that requests of connected clients can still open files. Accepting continues only when as many descriptors are free again.
 *
 * <p>Thread: the acceptor's. Owns the descriptors: sockets that are connected to nothing.
 */
final class DescriptorReserve {
    private static final Logger LOG = LoggerFactory.getLogger(DescriptorReserve.class);

    private static final int SIZE = 16;

    /** Descriptors that must be free in addition to the reserve. With fewer, the next clients would use up all descriptors at once. */
    private static final int BESIDE = 4;

    private final ArrayDeque<SocketChannel> held = new ArrayDeque<>(SIZE + BESIDE);

    /**
     * Takes the reserve.
     *
     * @throws IOException if the system has too few descriptors left; {@link #release} gives back those that were taken
     */
    void take() throws IOException {
        while (held.size() < SIZE + BESIDE) {
            held.addLast(SocketChannel.open());
        }
        release(SIZE);
    }

    void release() {
        release(0);
    }

    private void release(int left) {
        while (held.size() > left) {
            try {
                held.removeLast().close();
            } catch (IOException e) {
                LOG.debug("A descriptor of the reserve did not close", e);
            }
        }
    }
}
