package io.penstock.loadtest.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One thread, one selector, many connections. Each round runs the commands from outside, then what is due, then selects.
 *
 * <p>Thread: {@code client-loop} is its own and may never wait for anything but the selector; {@link #execute} and
 * {@link #close} are the doors for others, all else is for code that runs on the loop.
 *
 * <p>Owns: the selector, all wires, and one read buffer that they share.
 */
public final class ClientLoop implements AutoCloseable {
    private static final long MILLISECOND = 1_000_000;
    private static final long LONGEST_SELECT = 100 * MILLISECOND;
    private static final long SHORT_NAP = 50_000;

    private enum State {
        RUNNING,
        STOPPING
    }

    private final Selector selector;
    private final int mostConnections;
    private final Thread thread = new Thread(this::run, "client-loop");
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Timers timers = new Timers();
    private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(64 << 10);
    private volatile State state = State.RUNNING;
    private int connections;

    private ClientLoop(Selector selector, int mostConnections) {
        this.selector = selector;
        this.mostConnections = mostConnections;
    }

    /**
     * Starts a loop.
     *
     * @param mostConnections how many may be open at a time; a selector without a bound is a heap without one
     */
    public static ClientLoop start(int mostConnections) throws IOException {
        ClientLoop loop = new ClientLoop(Selector.open(), mostConnections);
        loop.thread.setDaemon(true);
        loop.thread.start();
        return loop;
    }

    /** Starts a loop. */
    public static ClientLoop start(ClientSettings settings) throws IOException {
        return start(settings.maxConnections());
    }

    /** Runs the task on the loop, soon. Thread: any. */
    public void execute(Runnable task) {
        commands.add(task);
        selector.wakeup();
    }

    /** Completes, exceptionally if the loop has failed, when the loop has ended. Thread: any. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /** Closes all connections and ends the thread. Thread: any but the loop. */
    @Override
    public void close() {
        state = State.STOPPING;
        selector.wakeup();
        ended.exceptionally(failure -> null).join();
    }

    /**
     * Opens a connection; its conversation is told when it is made.
     *
     * @throws IOException if that cannot even be tried
     */
    public Wire open(InetSocketAddress to, Conversation conversation) throws IOException {
        assert onLoop();
        if (connections == mostConnections) {
            throw new IOException("There are " + mostConnections + " connections already");
        }
        Wire wire = Wire.connect(this, selector, to, conversation);
        connections++;
        return wire;
    }

    /** The time of this round, as the loop's clock gives it: read once a round, not for each call. */
    public long now() {
        assert onLoop();
        return System.nanoTime();
    }

    /** Runs the task when {@link System#nanoTime} has reached {@code nanos}. */
    public void at(long nanos, Runnable task) {
        assert onLoop();
        timers.add(nanos, task);
    }

    /** Runs the task after so many milliseconds. */
    public void after(long millis, Runnable task) {
        at(System.nanoTime() + millis * MILLISECOND, task);
    }

    void close(SocketChannel channel) {
        connections--;
        try {
            channel.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private boolean onLoop() {
        return Thread.currentThread() == thread;
    }

    private void run() {
        Throwable failure = null;
        try {
            while (state == State.RUNNING) {
                runCommands();
                runTimers();
                select();
                for (SelectionKey key : selector.selectedKeys()) {
                    ((Wire) key.attachment()).onReady(readBuffer);
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException | RuntimeException | Error unexpected) {
            failure = unexpected;
        } finally {
            end(failure);
        }
    }

    private void runCommands() {
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
        }
    }

    private void runTimers() {
        long now = System.nanoTime();
        boolean more = timers.runNext(now);
        while (more) {
            more = timers.runNext(now);
        }
    }

    /**
     * Waits for a key or the next timer. The selector counts in milliseconds, which is too coarse for sending at an exact
     * time: the last one is spent in short naps.
     */
    private void select() throws IOException {
        long nanos = timers.untilNext(System.nanoTime(), LONGEST_SELECT);
        if (nanos >= MILLISECOND) {
            selector.select(nanos / MILLISECOND);
        } else if (selector.selectNow() == 0 && nanos > 0) {
            LockSupport.parkNanos(Math.min(nanos, SHORT_NAP));
        }
    }

    private void end(@Nullable Throwable failure) {
        try (selector) {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        } catch (IOException failedToClose) {
            ended.completeExceptionally(failure == null ? failedToClose : failure);
        }
        if (failure == null) {
            ended.complete(null);
        } else {
            ended.completeExceptionally(failure);
        }
    }
}
