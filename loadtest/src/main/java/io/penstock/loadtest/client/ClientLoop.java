package io.penstock.loadtest.client;

import io.penstock.time.Clock;
import io.penstock.time.TimerWheel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One thread with one selector and many connections. Each {@link Wire} is the attachment of its selection key.
 *
 * <pre>
 *   a round:   commands from outside ──> tasks that are due ──┬──> wait ──> connections that are ready
 *                                                             └──> connections that are ready ──> deadlines, if one is due
 * </pre>
 *
 * A long round, or a pause of this JVM, can delay the loop. If a response arrives in time during the delay, its call does not fail: after
 * the delay, the loop first reads from the ready connections. After that, it handles the deadlines that have passed.
 *
 * If there is nothing to do, the loop sleeps in its selector until the next deadline.
 *
 * <p>Thread: {@code client-loop}, which must never wait except in the selector. Other threads can call only the methods marked "Thread:
 * any". If a {@link Conversation} throws an exception, its connection ends and the loop continues. If a task throws an exception, the loop
 * ends, since the failure belongs to no single connection; see {@link #ended}.
 *
 * <p>Owns: the selector, all connections, the timer wheel of their deadlines, and one read buffer that all connections share.
 */
public final class ClientLoop implements AutoCloseable {
    static final long MILLISECOND = 1_000_000;
    private static final int READ_BUFFER = 64 << 10;
    // A timer may fire one tick late. A revolution of the timer wheel takes four seconds. A timer with a longer delay
    // stays in the wheel for several revolutions.
    private static final long TICK = MILLISECOND;
    private static final int WHEEL_SIZE = 4096;
    // The JDK's selector gets at most this number of ready keys per system call.
    private static final int MOST_READY_AT_A_TIME = 1024;
    // Linux adds its timer slack to each sleep; by default, the slack is 50 microseconds.
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
    private final TlsRecords.@Nullable ClientTls tls;
    private final TlsRecords.@Nullable ClientTls http2Tls;
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
        this.tls = settings.tls().map(TlsRecords.ClientTls::new).orElse(null);
        this.http2Tls = settings.tls()
                .map(context -> new TlsRecords.ClientTls(context, "h2"))
                .orElse(null);
        this.clock = clock;
        this.now = clock.nanos();
        this.wheel = new TimerWheel(now, TICK, WHEEL_SIZE);
        this.selector = Selector.open();
    }

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

    /** Creates a loop without a thread of its own. The caller's thread is the thread of the loop, and calls {@link #round}. */
    static ClientLoop driven(ClientSettings settings, Clock clock) throws IOException {
        return new ClientLoop(settings, clock);
    }

    /** Runs the task soon, on the thread of the loop. Thread: any. */
    public void execute(Runnable task) {
        commands.add(task);
        // Wakes the loop if it sleeps in the selector. Otherwise its next sleep ends at once.
        selector.wakeup();
    }

    /**
     * Starts a task on the loop. The future also fails if the loop ends before the task is complete, even if the loop ends without an error.
     * Thread: any except the thread of the loop.
     */
    public <T> CompletableFuture<T> begin(Supplier<CompletableFuture<T>> task) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        execute(() -> {
            var unused = task.get().whenComplete((value, failure) -> {
                if (failure == null) {
                    outcome.complete(value);
                } else {
                    outcome.completeExceptionally(failure);
                }
            });
        });
        var unused = ended.whenComplete((nothing, failure) -> outcome.completeExceptionally(
                failure == null ? new IllegalStateException("it has been closed") : failure));
        return outcome;
    }

    /**
     * Waits for the result of a task. Thread: any except the thread of the loop.
     *
     * @throws TimeoutException if the task is not complete within the given time
     * @throws IOException if the task has failed, or the loop has ended
     */
    public static <T> T await(CompletableFuture<T> outcome, Duration within)
            throws IOException, InterruptedException, TimeoutException {
        try {
            return outcome.get(within.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            throw new IOException("The client has failed: " + failed.getCause(), failed);
        }
    }

    /**
     * Does the same as {@link #await(CompletableFuture, Duration)}, and reports a task that is late like one that has failed.
     *
     * @param late the message of the exception if the task is not complete within the given time
     */
    public static <T> T await(CompletableFuture<T> outcome, Duration within, String late)
            throws IOException, InterruptedException {
        try {
            return await(outcome, within);
        } catch (TimeoutException e) {
            throw new IOException(late, e);
        }
    }

    /** A future that completes when the loop has ended. If the loop has failed, the future completes exceptionally. Thread: any. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /**
     * Ends the thread and all connections. Each conversation is called with {@link Failure#ABANDONED}. Thread: any except the thread of the
     * loop.
     */
    @Override
    public void close() {
        state = State.STOPPING;
        if (!onLoop()) {
            // Wakes the loop, which may sleep in the selector, so that it ends.
            selector.wakeup();
        } else if (!ended.isDone()) {
            // This loop has no thread of its own, so the caller's thread ends the loop.
            end(null);
        }
        ended.exceptionally(failure -> null).join();
    }

    /**
     * Starts to make a connection. The conversation is called in a later round, when the connection is made or has failed.
     *
     * @throws CallException if no attempt is possible: {@link Failure#NO_ROOM}, {@link Failure#CONNECT_FAILED}, or {@link
     *     Failure#ABANDONED} if the loop is about to end
     */
    public Wire open(InetSocketAddress to, Conversation conversation) throws CallException {
        return open(to, conversation, tls);
    }

    /**
     * Does the same as {@link #open}, but without TLS, even if the settings require TLS. For a conversation that creates the bytes of TLS
     * itself.
     */
    public Wire openPlain(InetSocketAddress to, Conversation conversation) throws CallException {
        return open(to, conversation, null);
    }

    /** Does the same as {@link #open}. If the settings require TLS, the connection offers HTTP/2 by ALPN, and no other protocol. */
    public Wire openHttp2(InetSocketAddress to, Conversation conversation) throws CallException {
        return open(to, conversation, http2Tls);
    }

    private Wire open(InetSocketAddress to, Conversation conversation, TlsRecords.@Nullable ClientTls layer)
            throws CallException {
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

    /**
     * The time of the present round, in nanoseconds of the loop's clock. The loop reads the clock once or twice per round; this method does
     * not read it.
     */
    public long now() {
        assert onLoop();
        return now;
    }

    /**
     * The present time of the loop's clock, in nanoseconds. {@link #now} is cheaper, and enough if the time within a round does not matter.
     */
    public long nanos() {
        return clock.nanos();
    }

    /**
     * Runs the task when the loop's clock has reached {@code nanos}, or some tens of microseconds later. Suitable only for a small number
     * of tasks.
     */
    public void at(long nanos, Runnable task) {
        assert onLoop();
        exactTasks.add(nanos, task);
    }

    /** Runs the task after this number of milliseconds, or up to a millisecond later. Suitable for any number of tasks. */
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

    /**
     * The number of bytes that all sockets have sent since the start. With TLS, these are the encrypted bytes, including those of the
     * handshakes. Thread: any.
     */
    public long sentBytes() {
        return sent.get();
    }

    /** The number of bytes that all sockets have received since the start, counted like {@link #sentBytes}. Thread: any. */
    public long receivedBytes() {
        return received.get();
    }

    void onReceived(int bytes) {
        received.lazySet(received.getPlain() + bytes);
    }

    /** Adds to the count of sent bytes. Only the loop writes this count, so no atomic addition is needed. */
    void onSent(long bytes) {
        sent.lazySet(sent.getPlain() + bytes);
    }

    /** Whether the calling thread is the thread of the loop. Thread: any. */
    boolean onLoop() {
        return Thread.currentThread() == thread;
    }

    void watch(TimerWheel.Timer timer, long deadline) {
        assert onLoop();
        wheel.set(timer, deadline);
    }

    /** Switches the timer off for a short time. It will be set again soon. */
    void pause(TimerWheel.Timer timer) {
        wheel.cancel(timer);
    }

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

    /** Handles each connection that is ready now, once. */
    private void selectAllReady() throws IOException {
        int most = 1 + connections / MOST_READY_AT_A_TIME;
        for (int i = 0; i < most && selector.selectNow(onReady) >= MOST_READY_AT_A_TIME; i++) {
            // More connections may be ready than the selector has reported.
        }
    }

    /**
     * Waits for a ready connection, a deadline, or the exact time of a task. The selector counts in milliseconds, which is too coarse for
     * an exact time. Therefore the loop waits with short sleeps in the last millisecond before an exact time.
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
            // Updates the time at the first ready connection, since the loop may have slept. All connections of this
            // round get the same time.
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
        // The code below calls each conversation for the last time. In this state, a conversation cannot open another
        // connection.
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

    /**
     * The tasks that must run at an exact time, such as the next request of a load with a constant rate. There are only a few such tasks.
     * Timers that usually never expire, and may be a millisecond late, use the timer wheel of the {@link ClientLoop}.
     *
     * <p>Thread: the thread of the loop.
     */
    static final class ExactTasks {
        private record Entry(long at, Runnable task) {}

        private final PriorityQueue<Entry> entries = new PriorityQueue<>(Comparator.comparingLong(Entry::at));

        void add(long at, Runnable task) {
            entries.add(new Entry(at, task));
        }

        /** The number of nanoseconds until the next task is due, at least 0; {@link Long#MAX_VALUE} if there is no task. */
        long nanosToNext(long now) {
            Entry next = entries.peek();
            return next == null ? Long.MAX_VALUE : Math.max(0, next.at - now);
        }

        /** Runs all tasks that are due. If these tasks add other tasks that are due, runs them too. */
        void runDue(long now) {
            for (Entry next = entries.peek(); next != null && next.at <= now; next = entries.peek()) {
                entries.remove();
                next.task.run();
            }
        }
    }
}
