package io.penstock.standalone;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Thousands of clients on one thread. Each client sends its bytes as fast as the server takes them, reads and drops what the server sends,
 * and stays connected until the server or {@link #close} ends its connection.
 *
 * <p>Thread: any; a thread of the crowd owns the channels.
 */
final class Crowd implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int STATUS_END = "HTTP/1.1 200".length();

    /** How often a client of a flood connects again after the server has closed its connection. */
    private static final int RETURNS = 20;

    private final InetSocketAddress server;
    private final Selector selector;
    private final Thread thread = new Thread(this::run, "crowd");
    private final Queue<Client> arriving = new ConcurrentLinkedQueue<>();
    private final Map<Integer, AtomicInteger> answers = new ConcurrentHashMap<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger sending = new AtomicInteger();
    private final AtomicInteger closedByServer = new AtomicInteger();
    private volatile boolean closed;
    private volatile boolean resets;

    Crowd(int port) throws IOException {
        server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        selector = Selector.open();
        thread.setDaemon(true);
        thread.start();
    }

    /** Connects clients one after the other. The client with the number {@code i} sends {@code bytes.apply(i)}. */
    void connect(int count, IntFunction<byte[]> bytes) throws IOException {
        for (int i = 0; i < count; i++) {
            connect(new Client(channel(), ByteBuffer.wrap(bytes.apply(i))));
        }
    }

    /**
     * Connects clients that send one round after the other, without an end, and do not look at the answers. If the server closes a connection,
     * its client connects again, and begins with round 0.
     */
    void flood(int count, IntFunction<byte[]> rounds) throws IOException {
        for (int i = 0; i < count; i++) {
            connect(new Client(channel(), rounds, 0));
        }
    }

    private SocketChannel channel() throws IOException {
        SocketChannel channel = SocketChannel.open(server);
        channel.configureBlocking(false);
        open.incrementAndGet();
        sending.incrementAndGet();
        return channel;
    }

    private void connect(Client client) {
        arriving.add(client);
        selector.wakeup();
    }

    /** How often the server has closed a connection. */
    int closedByServer() {
        return closedByServer.get();
    }

    /** Waits until each client has sent all its bytes, or has been closed by the server. */
    void awaitSent() {
        await().atMost(PATIENCE).until(() -> sending.get() == 0);
    }

    /** Waits until all clients have an answer, or have been closed by the server. */
    void awaitAnswered(int count) {
        await().atMost(PATIENCE).until(() -> answers() >= count || open.get() == 0);
    }

    /** The number of connections that are open. */
    int open() {
        return open.get();
    }

    /** The number of clients that have got an answer. */
    int answers() {
        return answers.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    /** The number of clients whose first answer has this status. */
    int answers(int status) {
        AtomicInteger count = answers.get(status);
        return count == null ? 0 : count.get();
    }

    private void run() {
        ByteBuffer drop = ByteBuffer.allocate(16 << 10);
        try {
            while (!closed) {
                selector.select();
                for (Client next = arriving.poll(); next != null; next = arriving.poll()) {
                    next.channel.register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE, next);
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    ((Client) key.attachment()).ready(key, drop);
                }
                selector.selectedKeys().clear();
            }
            for (SelectionKey key : selector.keys()) {
                if (resets && key.channel().isOpen()) {
                    ((Client) key.attachment()).channel.setOption(StandardSocketOptions.SO_LINGER, 0);
                }
                key.channel().close();
            }
            selector.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Closes all connections by a reset. So the server learns at once that nobody waits for the responses that it has not sent. */
    void reset() throws InterruptedException {
        resets = true;
        close();
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        selector.wakeup();
        thread.join();
    }

    private final class Client {
        private final SocketChannel channel;
        private final @Nullable IntFunction<byte[]> rounds; // of a flood
        private final int returns;
        private int round;
        private ByteBuffer unsent;
        private final StringBuilder status = new StringBuilder();

        Client(SocketChannel channel, ByteBuffer unsent) {
            this.channel = channel;
            this.unsent = unsent;
            this.rounds = null;
            this.returns = 0;
        }

        Client(SocketChannel channel, IntFunction<byte[]> rounds, int returns) {
            this.channel = channel;
            this.unsent = ByteBuffer.wrap(rounds.apply(0));
            this.rounds = rounds;
            this.returns = returns;
        }

        void ready(SelectionKey key, ByteBuffer drop) throws IOException {
            try {
                if (key.isWritable()) {
                    channel.write(unsent);
                    if (!unsent.hasRemaining()) {
                        sent(key);
                    }
                }
                if (key.isReadable()) {
                    int count = channel.read(drop.clear());
                    if (count < 0) {
                        end();
                    } else if (rounds == null) {
                        answered(drop.flip());
                    }
                }
            } catch (IOException e) {
                // The server has closed the connection, which is one way to survive the attack.
                end();
            }
        }

        private void sent(SelectionKey key) {
            if (rounds != null) {
                unsent = ByteBuffer.wrap(rounds.apply(++round));
            } else {
                key.interestOps(SelectionKey.OP_READ);
                sending.decrementAndGet();
            }
        }

        private void answered(ByteBuffer in) {
            if (status.length() == STATUS_END) {
                return;
            }
            status.append(
                    StandardCharsets.ISO_8859_1.decode(in), 0, Math.min(in.limit(), STATUS_END - status.length()));
            if (status.length() == STATUS_END) {
                int code = Integer.parseInt(status.substring(STATUS_END - 3));
                answers.computeIfAbsent(code, absent -> new AtomicInteger()).incrementAndGet();
            }
        }

        private void end() throws IOException {
            channel.close();
            open.decrementAndGet();
            closedByServer.incrementAndGet();
            if (unsent.hasRemaining()) {
                unsent.position(unsent.limit());
                sending.decrementAndGet();
            }
            if (rounds != null && returns < RETURNS) {
                connect(new Client(channel(), rounds, returns + 1));
            }
        }
    }
}
