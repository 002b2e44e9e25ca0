package io.penstock.reactor;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few spare file descriptors that the {@link Acceptor} holds while it accepts connections. When the system has no descriptor left, the
 * acceptor stops and releases the spare descriptors. So the requests of connected clients can still open files. The acceptor continues
 * after it has taken the spare descriptors again.
 *
 * <p>Thread: the thread of the acceptor. This object owns the descriptors, which are unconnected sockets.
 */
final class DescriptorReserve {
    private static final Logger LOG = LoggerFactory.getLogger(DescriptorReserve.class);

    private static final int SIZE = 16;

    /**
     * The number of descriptors that must be free in addition to the reserve. Without these additional descriptors, the next few clients
     * would use up all descriptors again.
     */
    private static final int BESIDE = 4;

    private final ArrayDeque<SocketChannel> held = new ArrayDeque<>(SIZE + BESIDE);

    /**
     * Takes the descriptors of the reserve.
     *
     * @throws IOException if the system has too few descriptors. The caller must then call {@link #release}, because some descriptors may
     *     have been taken
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
