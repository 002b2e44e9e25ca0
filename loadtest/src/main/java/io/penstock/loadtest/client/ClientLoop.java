package io.penstock.loadtest.client;

import io.penstock.time.Clock;
import io.penstock.time.TimerWheel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One thread with one selector and many connections. Each connection is the attachment of its key.
 *
 * <pre>
 *   a round:   commands from outside ──> tasks that are due ──┬──> wait ──> connections that are ready
 *                                                             └──> connections that are ready ──> deadlines, if one is due
 * </pre>
 *
 * A long round, or a pause of this JVM, does not by itself make a call miss its deadline. After the pause, the loop handles the
 * ready connections before the deadlines that have passed meanwhile.
 *
 * If there is nothing to do, the loop sleeps in its selector until the next deadline.
 *
 * <p>Thread: {@code client-loop}, which must never wait except in the selector. Other threads call only {@link #execute} and
 * {@link #close}; everything else is for code that runs on the loop. If a conversation throws, its connection ends and the loop
 * continues. If a task throws, the loop ends, since the failure belongs to no single connection; see {@link #ended}.
 *
 * <p>Owns: the selector, all wires, the wheel, and one read buffer that the wires share.
 */
public final class ClientLoop implements AutoCloseable {
    static final long MILLISECOND = 1_000_000;
    private static final int READ_BUFFER = 64 << 10;
    // A deadline may fire one tick late. A turn of the wheel takes four seconds. Each turn visits a longer deadline
    // once and moves it on.
    private static final long TICK = MILLISECOND;
    private static final int WHEEL_SIZE = 4096;
    // The JDK's selector gets at most this number of ready keys per call of the system.
    private static final int MOST_READY_AT_A_TIME = 1024;
    // The system makes such a short sleep last about twice as long.
    private static final long SHORT_NAP = 20_000;

    private enum State {
        RUNNING,
        STOPPING
    }

    private final ClientSettings settings;
    private final Clock clock;
    private final Selector selector;
    private final TimerWheel wheel;
    private final ExactTasks exactTasks = new ExactTasks();
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final ByteBuffer readBuffer = ByteBuffer.allocateDirect(READ_BUFFER);
    private final Consumer<SelectionKey> onReady = this::onReady;
    private final @Nullable ClientTls tls;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private Thread thread = Thread.currentThread();
    private volatile State state = State.RUNNING;
    private int connections;
    private long rounds;
    private long now;
    private long readyRound;

    private ClientLoop(ClientSettings settings, Clock clock) throws IOException {
        this.settings = settings;
        this.tls = settings.tls().map(ClientTls::new).orElse(null);
        this.clock = clock;
        this.now = clock.nanos();
        this.wheel = new TimerWheel(now, TICK, WHEEL_SIZE);
        this.selector = Selector.open();
    }

    /** Starts a loop. */
    public static ClientLoop start(ClientSettings settings) throws IOException {
        ClientLoop loop = new ClientLoop(settings, Clock.SYSTEM);
        loop.thread = new Thread(loop::run, "client-loop");
        loop.thread.setDaemon(true);
        loop.thread.start();
        return loop;
    }

    /** Starts a loop with the default settings, except for the maximum number of connections. */
    public static ClientLoop start(int maxConnections) throws IOException {
        return start(ClientSettings.defaults().withMaxConnections(maxConnections));
    }

    /** A loop without a thread of its own: the caller's thread is the loop's, and calls {@link #round}. */
    static ClientLoop driven(ClientSettings settings, Clock clock) throws IOException {
        return new ClientLoop(settings, clock);
    }

    /** Runs the task on the loop, soon. Thread: any. */
    public void execute(Runnable task) {
        commands.add(task);
        // Wakes the loop from its selector, or prevents its sleep: there is a command now.
        selector.wakeup();
    }

    /** Completes, exceptionally if the loop has failed, when the loop has ended. Thread: any. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /**
     * Ends the thread and all connections; each conversation is called with {@link Failure#ABANDONED}. Thread: any but the loop.
     */
    @Override
    public void close() {
        state = State.STOPPING;
        if (!onLoop()) {
            // Wakes the loop from its selector, so that it stops.
            selector.wakeup();
        } else if (!ended.isDone()) {
            // This loop has no thread of its own, so the caller's thread ends it here.
            end(null);
        }
        ended.exceptionally(failure -> null).join();
    }

    /**
     * Starts to make a connection. Its conversation is called in a later round, when the connection is made or has failed.
     *
     * @throws CallException if no attempt is possible: {@link Failure#NO_ROOM}, {@link Failure#CONNECT_FAILED}, or
     *     {@link Failure#ABANDONED} if the loop is about to end
     */
    public Wire open(InetSocketAddress to, Conversation conversation) throws CallException {
        return open(to, conversation, tls);
    }

    /** As {@link #open}, but without TLS, whatever the settings are. For a conversation that sends bytes of TLS itself. */
    public Wire openPlain(InetSocketAddress to, Conversation conversation) throws CallException {
        return open(to, conversation, null);
    }

    private Wire open(InetSocketAddress to, Conversation conversation, @Nullable ClientTls layer) throws CallException {
        assert onLoop();
        if (state != State.RUNNING) {
            throw new CallException(Failure.ABANDONED, "The client is closed");
        }
        if (connections == settings.maxConnections()) {
            throw new CallException(Failure.NO_ROOM, "There are already " + connections + " connections");
        }
        Wire wire = Wire.connect(this, selector, to, conversation, layer);
        connections++;
        return wire;
    }

    /** The time of this round, as the loop's clock gives it: read once a round, not for each call. */
    public long now() {
        assert onLoop();
        return now;
    }

    /** The present time of the loop's clock. {@link #now} suffices where the length of a round does not matter. */
    public long nanos() {
        return clock.nanos();
    }

    /** Runs the task when the loop's clock has reached {@code nanos}, within some tens of microseconds. For few tasks. */
    public void at(long nanos, Runnable task) {
        assert onLoop();
        exactTasks.add(nanos, task);
    }

    /** Runs the task after this number of milliseconds, or up to a millisecond later. For any number of tasks. */
    public void after(long millis, Runnable task) {
        watch(new TaskTimer(task), clock.nanos() + millis * MILLISECOND);
    }

    /** The limits of the loop and its connections. Thread: any. */
    public ClientSettings settings() {
        return settings;
    }

    /** The number of connections, including those that are being made. */
    public int connections() {
        assert onLoop();
        return connections;
    }

    /** The bytes that all sockets have taken since the start, without the bytes that TLS adds. Thread: any. */
    public long sentBytes() {
        return sent.get();
    }

    /** The bytes that were read from all sockets since the start. Thread: any. */
    public long receivedBytes() {
        return received.get();
    }

    /** Only the loop writes the counts, so it needs no atomic addition. */
    void onSent(long bytes) {
        sent.lazySet(sent.getPlain() + bytes);
    }

    void onReceived(long bytes) {
        received.lazySet(received.getPlain() + bytes);
    }

    /** Whether the calling thread is the loop's. Thread: any. */
    boolean onLoop() {
        return Thread.currentThread() == thread;
    }

    /** Sets the timer, or moves it. */
    void watch(TimerWheel.Timer timer, long deadline) {
        assert onLoop();
        wheel.set(timer, deadline);
    }

    /** Switches the timer off for now: it will be set again soon. */
    void pause(TimerWheel.Timer timer) {
        wheel.cancel(timer);
    }

    /** Switches the timer off for good. */
    void forget(TimerWheel.Timer timer) {
        wheel.remove(timer);
    }

    void onClosed() {
        connections--;
    }

    /** Reports an exception that a conversation has thrown at the end of its connection. The loop continues. */
    void report(RuntimeException failure) {
        thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    }

    long rounds() {
        return rounds;
    }

    /** Runs one round, which waits for at most this number of nanoseconds. */
    void round(long longestWait) throws IOException {
        assert onLoop();
        rounds++;
        now = clock.nanos();
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
        }
        exactTasks.runDue(now);
        long present = clock.nanos();
        long toDeadline = wheel.nanosToNext(present);
        if (toDeadline == 0) {
            now = present;
            selectAllReady();
            wheel.advance(present);
        } else {
            // No deadline has passed, so this call runs no timer. It only moves the wheel to the present time.
            wheel.advance(present);
            select(present, Math.min(longestWait, toDeadline));
        }
    }

    /** Looks at each connection that is ready by now, once. */
    private void selectAllReady() throws IOException {
        int most = 1 + connections / MOST_READY_AT_A_TIME;
        for (int i = 0; i < most && selector.selectNow(onReady) >= MOST_READY_AT_A_TIME; i++) {
            // There may be more than the selector has reported.
        }
    }

    /**
     * Waits for a key, a deadline or an exact time. The selector counts in milliseconds, which is too coarse for an exact time,
     * so the loop spends the last millisecond before it in short sleeps.
     */
    private void select(long present, long coarse) throws IOException {
        long exact = exactTasks.nanosToNext(present);
        if (Math.min(exact, coarse) == 0) {
            selector.selectNow(onReady);
        } else if (exact < MILLISECOND && exact <= coarse) {
            if (selector.selectNow(onReady) == 0) {
                LockSupport.parkNanos(Math.min(exact, SHORT_NAP));
            }
        } else if (exact <= coarse) {
            selector.select(onReady, exact / MILLISECOND);
        } else {
            selector.select(onReady, 1 + (coarse - 1) / MILLISECOND);
        }
    }

    private void onReady(SelectionKey key) {
        if (readyRound != rounds) {
            // Updates the time at the first ready connection, since the loop may have slept; the time is then the same
            // for all.
            readyRound = rounds;
            now = clock.nanos();
        }
        ((Wire) key.attachment()).onReady(readBuffer);
    }

    private void run() {
        Throwable failure = null;
        try {
            while (state == State.RUNNING) {
                round(Long.MAX_VALUE);
            }
        } catch (IOException | RuntimeException | Error unexpected) {
            failure = unexpected;
        } finally {
            end(failure);
        }
    }

    private void end(@Nullable Throwable failure) {
        // Each conversation is now notified of its end. In this state it cannot open another connection.
        state = State.STOPPING;
        Throwable cause = failure;
        try (selector) {
            for (SelectionKey key : List.copyOf(selector.keys())) {
                ((Wire) key.attachment()).end(new CallException(Failure.ABANDONED, "The client was closed"));
            }
        } catch (IOException failedToClose) {
            cause = failure == null ? failedToClose : failure;
        }
        if (cause == null) {
            ended.complete(null);
        } else {
            ended.completeExceptionally(cause);
        }
    }

    private static final class TaskTimer extends TimerWheel.Timer {
        private final Runnable task;

        TaskTimer(Runnable task) {
            this.task = task;
        }

        @Override
        protected void expired() {
            task.run();
        }
    }
}
