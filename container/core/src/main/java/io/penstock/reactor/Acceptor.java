package io.penstock.reactor;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that accepts connections and hands them on. When the system has no file descriptor left it waits a little between
 * tries: those who are connected are served meanwhile, and accepting goes on as descriptors become free.
 */
public final class Acceptor implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
    private static final long PAUSE_MILLIS = 100;

    /** Takes accepted connections over; does not block. */
    @FunctionalInterface
    public interface Receiver {
        void accept(SocketChannel channel) throws IOException;
    }

    private final ServerSocketChannel server;
    private final int sendBuffer;
    private final Receiver accepted;
    private final Thread thread = new Thread(this, "acceptor");
    private final CountDownLatch stopped = new CountDownLatch(1);

    /**
     * Binds; accepting starts with {@link #start}.
     *
     * @param sendBuffer SO_SNDBUF of accepted sockets, receiveBuffer their SO_RCVBUF, in bytes; 0 leaves it to the system
     * @param accepted gets each connection, non-blocking and configured; must not block
     * @throws IOException if the address cannot be bound
     */
    public Acceptor(InetSocketAddress address, int backlog, int sendBuffer, int receiveBuffer, Receiver accepted)
            throws IOException {
        this.sendBuffer = sendBuffer;
        this.accepted = accepted;
        this.server = ServerSocketChannel.open();
        try {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            if (receiveBuffer > 0) {
                server.setOption(
                        StandardSocketOptions.SO_RCVBUF, receiveBuffer); // inherited, so that the window is right
            }
            server.bind(address, backlog);
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    public InetSocketAddress address() throws IOException {
        return (InetSocketAddress) server.getLocalAddress();
    }

    public void start() {
        thread.start();
    }

    /** Stops listening and waits for the thread. */
    public void stop() throws IOException, InterruptedException {
        stopped.countDown();
        server.close();
        if (thread.isAlive()) {
            thread.join();
        }
    }

    @Override
    public void run() {
        Health health = Health.ACCEPTING;
        while (server.isOpen()) {
            try {
                SocketChannel channel = server.accept();
                prepare(channel);
                health = health.told(Health.ACCEPTING, null);
            } catch (ClosedChannelException e) {
                return;
            } catch (Throwable e) {
                // Descriptors or memory may be short; whoever is connected is served meanwhile.
                health = health.told(Health.FAILING, e);
                pause();
            }
        }
    }

    /** Whether the last try succeeded: a change is worth a line in the log, each further failure is not. */
    private enum Health {
        ACCEPTING,
        FAILING;

        Health told(Health now, @Nullable Throwable cause) {
            if (now != this) {
                if (now == FAILING) {
                    LOG.warn(
                            "Accepting fails, and is tried again every {} ms: {}", PAUSE_MILLIS, String.valueOf(cause));
                } else {
                    LOG.info("Accepting goes on");
                }
            }
            return now;
        }
    }

    private void prepare(SocketChannel channel) throws IOException {
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            if (sendBuffer > 0) {
                channel.setOption(StandardSocketOptions.SO_SNDBUF, sendBuffer);
            }
        } catch (IOException e) {
            // That client has gone already; the listener is fine.
            LOG.debug("A connection ended before it was configured", e);
            channel.close();
            return;
        }
        accepted.accept(channel);
    }

    private void pause() {
        try {
            if (stopped.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.debug("Stopped while accepting paused");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
