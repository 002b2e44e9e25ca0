package io.penstock.reactor;

import io.penstock.events.CloseCause;
import io.penstock.events.ConnectionEvents;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.time.Clock;
import io.penstock.time.TimerWheel;
import io.penstock.time.WallClock;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One selector thread with its selection keys, its deadlines, and its read buffer. The thread repeats a loop; one pass of the loop is
 * called a round.
 *
 * <p>A round does its work in this order: ready keys, links that read again, commands of other threads, deadlines, links that have failed,
 * tasks for the end of the round. Only the select call blocks. An exception of a handler closes the link of that handler. An exception of a
 * command ends that command. The loop continues in both cases. If a round fails, the next round handles the remaining work: the selector
 * reports the unhandled keys again. Commands, deadlines, failed links and tasks stay in their queues.
 *
 * <p>Thread: the reactor, unless a method says otherwise.
 */
public final class Reactor implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Reactor.class);
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int WHEEL_SIZE = 1024;
    private static final long FINE_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int FINE_WHEEL_SIZE = 16;

    /** A round that lasts at least this long delays clients, so the reactor reports the round to its {@link ConnectionEvents}. */
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A sleep of at most this length is short enough for signals that can wait ({@link Link#signalLater}). */
    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /**
     * The maximum number of failed links that one round closes. Closing this many links takes about 2 ms. Thousands of links can fail at
     * once, and other clients must not wait until all these links are closed.
     */
    private static final int CLOSED_A_ROUND = 64;

    /**
     * The interval between two probes of the links that are not read, and the most links of one probe. A probe of a link takes some 5 µs, in
     * two system calls.
     */
    private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final int MAX_PROBED = 128;

    /** For this time the reactor waits for expected bytes before it sleeps ({@link #expectBytes}). Twice the time saves no more wake-ups. */
    private static final long EXPECTED_NANOS = TimeUnit.MICROSECONDS.toNanos(10);

    /** Close causes that are created in advance. A link uses one of these causes if it fails when the memory or the stack is exhausted. */
    private final ConnectionClosed outOfMemory = new ConnectionClosed(CloseCause.OUT_OF_MEMORY);

    private final ConnectionClosed outOfStack = new ConnectionClosed(CloseCause.INTERNAL_ERROR, "out of stack");

    private final Clock clock;
    private final Rounds rounds;
    private final WallClock wall;
    private final ConnectionEvents events;
    private final Counters counters;
    private final Selector selector;
    private final CommandQueue commands;
    private final TimerWheel wheel;
    private final TimerWheel fineWheel;
    private final ByteBuffer readBuffer;
    private final FileBuffers fileBuffers = new FileBuffers();
    // Open links that have no selection key yet.
    private final Set<SocketLink> withoutKey = new HashSet<>();
    // Open links that are not read. The next ones to be probed come first.
    private final LinkedHashSet<SocketLink> toProbe = new LinkedHashSet<>();
    private final TimerWheel.Timer nextProbe = new TimerWheel.Timer() {
        @Override
        protected void expired() {
            probe();
        }
    };
    private final ArrayDeque<SocketLink> readAgain = new ArrayDeque<>();
    private final ArrayDeque<SocketLink> failed = new ArrayDeque<>();
    private final List<Runnable> endOfRound = new ArrayList<>(1);
    private final Runnable afterEachRound;
    private final Thread thread;
    // This object is created in advance, because a round must not fail when memory runs out.
    private final Consumer<SelectionKey> whenReady = this::ready;
    private final String failure;

    private @Nullable Runnable afterNap;
    private boolean awaitsFirstBytes;
    private boolean expectsBytes;
    private int served; // channels in the last round
    private long now;
    private long roundBegan;
    private boolean asleep;
    private volatile boolean stopping;

    /** A reactor whose rounds begin no work of other threads. */
    public Reactor(String name, Clock clock, ConnectionEvents events, Counters counters, int readBuffer, Rounds rounds)
            throws IOException {
        this(name, clock, events, counters, readBuffer, rounds, () -> {});
    }

    /**
     * @param counters counts the bytes that this reactor's clients send and receive
     * @param readBuffer the size of the read buffer in bytes: one read takes at most this many bytes from a client
     * @param rounds runs the rounds of the thread, and catches their exceptions
     * @param afterEachRound runs at the end of each round: it wakes a worker if the round has queued requests. Must not block or throw
     * @throws IOException if the system has no selector left
     */
    public Reactor(
            String name,
            Clock clock,
            ConnectionEvents events,
            Counters counters,
            int readBuffer,
            Rounds rounds,
            Runnable afterEachRound)
            throws IOException {
        this.clock = clock;
        this.afterEachRound = afterEachRound;
        this.rounds = rounds;
        this.failure = "A round of " + name + " failed; the thread continues";
        this.events = events;
        this.counters = counters;
        this.wall = new WallClock(clock, InstantSource.system());
        this.now = clock.nanos();
        this.roundBegan = now;
        this.wheel = new TimerWheel(now, TICK_NANOS, WHEEL_SIZE);
        this.fineWheel = new TimerWheel(now, FINE_TICK_NANOS, FINE_WHEEL_SIZE);
        this.readBuffer = ByteBuffer.allocateDirect(readBuffer);
        this.thread = new Thread(this, name);
        // The selector is opened last. If an earlier line throws, no selector stays open.
        this.selector = Selector.open();
        this.commands = new CommandQueue(selector::wakeup, rounds);
    }

    /** Starts the thread of the reactor. The owner of the server calls this method. */
    public void start() {
        thread.start();
    }

    /**
     * Takes over a channel, which must be connected and non-blocking. The reactor closes the channel later. Any thread may call this
     * method.
     *
     * @param opener makes the handler for the link of the channel
     * @param closed runs once, when the channel is closed
     */
    public void adopt(SocketChannel channel, Opener opener, Runnable closed) {
        commands.add(() -> open(channel, opener, closed));
    }

    /** Makes the handler of a new link, on the reactor. An exception closes the link. */
    @FunctionalInterface
    public interface Opener {
        LinkHandler open(Link link) throws IOException;
    }

    /** Runs {@code task} on the reactor. The task must not block. Any thread may call this method. */
    public void execute(Runnable task) {
        commands.add(task);
    }

    /** An action on the handler of one link. An exception closes that link only. */
    @FunctionalInterface
    public interface Visitor {
        void visit(LinkHandler handler) throws IOException;
    }

    /** Calls the visitor now for at most {@code most} open links, in no particular order. Only the reactor's thread calls this method. */
    public void forSomeHandlers(int most, Visitor visitor) {
        assert isCurrent();
        links(most).forEach(link -> link.accept(visitor));
    }

    /** Calls the visitor for every open link, on the reactor. Any thread may call this method. */
    public void forEachHandler(Visitor visitor) {
        commands.add(() -> links(Integer.MAX_VALUE).forEach(link -> link.accept(visitor)));
    }

    /**
     * Calls the visitor for every open link, on the reactor. The reactor visits a group of links at a time and does other work between the
     * groups. After the last group it runs {@code done}. Any thread may call this method.
     */
    public void visitInGroups(Visitor visitor, Runnable done) {
        visitInGroups(visitor, done, VisitInGroups::atOnce);
    }

    void visitInGroups(Visitor visitor, Runnable done, IntUnaryOperator atOnce) {
        commands.add(() -> {
            List<SocketLink> links = links(Integer.MAX_VALUE);
            new VisitInGroups(this, links, visitor, done, atOnce.applyAsInt(links.size())).visitNext();
        });
    }

    /** Returns at most {@code most} open links. Some of the returned links may have failed in this round. */
    private List<SocketLink> links(int most) {
        if (!selector.isOpen()) {
            // The selector is closed after all links.
            return List.of();
        }
        List<SocketLink> links = new ArrayList<>(
                Math.min(most, withoutKey.size() + selector.keys().size()));
        for (SocketLink link : withoutKey) {
            if (links.size() == most) {
                return links;
            }
            links.add(link);
        }
        for (SelectionKey key : selector.keys()) {
            if (links.size() == most) {
                break;
            }
            // An invalid key was cancelled since the last select; the next select removes it.
            if (key.isValid() && key.attachment() instanceof SocketLink link) {
                links.add(link);
            }
        }
        return links;
    }

    /** Closes every link and ends the reactor's thread. Any thread may call this method. */
    public void stop() {
        stopping = true;
        if (thread.getState() == Thread.State.NEW) {
            // The server could not start. No loop runs that could close the links, so this thread closes them.
            closeAll();
        } else {
            selector.wakeup();
        }
    }

    /** The name of the reactor's thread. Any thread may call this method. */
    public String name() {
        return thread.getName();
    }

    /** Waits until the reactor's thread has ended after {@link #stop}. Any thread except the reactor's may call this method. */
    public void join() throws InterruptedException {
        thread.join();
    }

    /**
     * The time at which this round or the previous round read the clock, in nanoseconds. This time is precise enough for deadlines. The
     * call does not read the clock.
     */
    public long now() {
        return now;
    }

    /** Reads the clock of this reactor, in nanoseconds. Any thread may call this method. */
    public long nanos() {
        return clock.nanos();
    }

    /** Converts a time of this reactor's clock to wall-clock time. Any thread may call this method. */
    public Instant onTheWall(long nanos) {
        return wall.at(nanos);
    }

    /** The timers for the deadlines of clients, with a precision of 20 ms. */
    public TimerWheel wheel() {
        return wheel;
    }

    /** The timers for deadlines that need a precision of one or two milliseconds. Only a few timers should use this wheel. */
    public TimerWheel fineWheel() {
        return fineWheel;
    }

    /**
     * The read buffer, cleared. Its content is valid until the handler returns. The handlers of all links of this reactor share this buffer
     * for the decoded bytes that they read. A link over a link (see {@link LinkLayer}) must not use the buffer internally, because a
     * handler can pass the buffer to {@link Link#read}.
     */
    public ByteBuffer readBuffer() {
        assert isCurrent();
        return readBuffer.clear();
    }

    /** The buffers for parts of files. Any thread may call this method. */
    FileBuffers fileBuffers() {
        return fileBuffers;
    }

    /** Whether the calling thread is the thread of this reactor. Any thread may call this method. */
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** Any thread may call this method. */
    Counters counters() {
        return counters;
    }

    /** Any thread may call this method. */
    CommandQueue commands() {
        return commands;
    }

    /** Calls {@code onReadable} of the link's handler in the next round. */
    void readAgain(SocketLink link) {
        readAgain.addLast(link);
    }

    /**
     * Runs the task at the end of this round. The task runs only once, even if this method is called several times with the same task. The
     * task must not block.
     */
    public void atEndOfRound(Runnable task) {
        assert isCurrent();
        if (!endOfRound.contains(task)) {
            endOfRound.add(task);
        }
    }

    /** Gets the events of a channel from the selector. Only the reactor calls this interface. */
    interface Watch {
        void onReady(int operations);
    }

    /** Registers a channel with the selector. */
    SelectionKey register(Watch watch, SelectableChannel channel, int interest) throws IOException {
        return channel.register(selector, interest, watch);
    }

    /**
     * Removes closed and unregistered channels from the selector. Without this call the selector would keep their file descriptors open
     * until the next round.
     */
    void releaseClosed() {
        assert isCurrent();
        try {
            // Keys that are ready now are ignored here. The selector reports them again in the next round.
            selector.selectNow(ready -> {});
        } catch (IOException e) {
            LOG.warn("{} cannot select", thread.getName(), e);
        }
    }

    /** Whether the reactor's thread runs. Any thread may call this method. */
    boolean isAlive() {
        return thread.isAlive();
    }

    /** Notes that a link has been opened, and that the first bytes of its client have not come. */
    void awaitFirstBytes() {
        awaitsFirstBytes = true;
    }

    /** Whether a link has been opened in this round whose client has sent nothing yet. */
    boolean awaitsFirstBytes() {
        return awaitsFirstBytes;
    }

    /**
     * Notes that a client sends a body faster than the reactor reads it, and that the next bytes are on their way. If the reactor slept, the
     * client's next packets would wake it, several times for each body. A wake-up costs a client on the same machine as much time as
     * sending 100 KB. So before it sleeps, the reactor waits for the bytes without giving up the processor, for some microseconds.
     */
    public void expectBytes() {
        expectsBytes = true;
    }

    /** Runs the task when this reactor wakes next, after at most a millisecond. Keeps only the last task. */
    void afterNap(Runnable task) {
        afterNap = task;
    }

    /** Adds a link to the open links that have no selection key. */
    void hasNoKey(SocketLink link) {
        withoutKey.add(link);
    }

    /** Removes a link from the open links without a selection key. The link now has a key, has failed, or is closed. */
    void noLongerWithoutKey(SocketLink link) {
        withoutKey.remove(link);
    }

    /** Notes whether this link is probed for a reset, since it is open and not read. */
    void probes(SocketLink link, boolean probed) {
        if (!probed) {
            toProbe.remove(link);
        } else if (toProbe.add(link) && !nextProbe.isOn()) {
            wheel.set(nextProbe, now + PROBE_NANOS);
        }
    }

    /**
     * Finds the clients that have reset their connections, among those whose links are not read. The selector does not report a key without
     * interests, and would report a key with interest in bytes that must not be read all the time. So it watches these keys for a moment.
     */
    private void probe() {
        List<SocketLink> probed = new ArrayList<>();
        for (Iterator<SocketLink> links = toProbe.iterator(); links.hasNext() && probed.size() < MAX_PROBED; ) {
            probed.add(links.next());
            links.remove();
        }
        if (probed.isEmpty()) {
            return;
        }
        List<SocketLink> gone = new ArrayList<>(0);
        try {
            probed.forEach(link -> link.probe(true));
            // Other keys that are ready now are ignored here. The selector reports them again in the next round.
            selector.selectNow(key -> {
                if (key.isValid() && (key.readyOps() & SelectionKey.OP_CONNECT) != 0) {
                    gone.add((SocketLink) key.attachment());
                }
            });
        } catch (IOException e) {
            LOG.warn("{} cannot select", thread.getName(), e);
        } finally {
            probed.forEach(link -> link.probe(false));
            toProbe.addAll(probed);
            if (!toProbe.isEmpty()) {
                wheel.set(nextProbe, now + PROBE_NANOS);
            }
        }
        gone.forEach(SocketLink::onProbed);
    }

    /** Adds a failed link to the queue of links that the reactor closes. */
    void queueForClose(SocketLink link) {
        failed.addLast(link);
    }

    /** Reports an exception that a handler must not throw, and closes the link of that handler. The loop continues. */
    void failed(SocketLink link, Throwable cause) {
        report(link, "A connection's handler failed; the connection is closed", cause);
        link.close(closedBy(cause));
    }

    private ConnectionClosed closedBy(Throwable failure) {
        try {
            return ConnectionClosed.of(failure);
        } catch (OutOfMemoryError e) {
            return outOfMemory;
        } catch (StackOverflowError e) {
            return outOfStack;
        }
    }

    /**
     * Logs a failure of the server, and reports it to the {@link ConnectionEvents}. An exception of the {@link ConnectionEvents} must not
     * end the loop.
     */
    void report(SocketLink link, String what, Throwable cause) {
        rounds.handle(what, cause);
        try {
            events.failed(link.remote().toString(), cause);
        } catch (Throwable t) {
            rounds.handle("A listener failed", t);
        }
    }

    @Override
    public void run() {
        try {
            rounds.repeat(failure, this::resumed, this::containedRound);
        } finally {
            rounds.contain("A reactor did not end cleanly", this::closeAll);
            rounds.contain("A reactor did not end cleanly", this::endRound); // the tasks of the closed links
        }
    }

    private boolean resumed() {
        return !stopping;
    }

    private void containedRound() {
        try {
            try {
                round();
            } finally {
                endRound();
            }
        } catch (ClosedSelectorException | IOException e) {
            stopping = true;
            LOG.error("{} cannot select any more and ends", thread.getName(), e);
        }
    }

    private void round() throws IOException {
        awaitExpected();
        long begins = clock.nanos();
        if (begins - roundBegan >= LATE_NANOS) {
            reportLateRound(begins - roundBegan);
        }
        roundBegan = begins;
        long wait = afterNap == null ? Math.min(wheel.nanosToNext(begins), fineWheel.nanosToNext(begins)) : 0;
        if (failed.isEmpty() && readAgain.isEmpty() && endOfRound.isEmpty() && maySleep(wait)) {
            asleep = true;
            // The time is rounded up. A select that ends just before the deadline has no effect and must be repeated.
            served = selector.select(whenReady, wait == Long.MAX_VALUE ? 0 : TimeUnit.NANOSECONDS.toMillis(wait) + 1);
            wakeUp();
        } else {
            served = selector.selectNow(whenReady);
        }
        now = clock.nanos();
        awaitsFirstBytes = false;
        endNap();
        readAgain();
        commands.runAll();
        wheel.advance(now);
        fineWheel.advance(now);
        closeFailed(CLOSED_A_ROUND);
    }

    /** Waits a moment for expected bytes, if nobody else has been served in this round, and no link has bytes of its own to read. */
    private void awaitExpected() {
        boolean expected = expectsBytes && served <= 1 && readAgain.isEmpty();
        expectsBytes = false;
        if (expected) {
            long began = System.nanoTime();
            while (System.nanoTime() - began < EXPECTED_NANOS) {
                Thread.onSpinWait();
            }
        }
    }

    private boolean maySleep(long nanos) {
        return nanos <= MOMENT_NANOS ? commands.mayDoze() : commands.mayFallAsleep();
    }

    private void endNap() {
        Runnable task = afterNap;
        if (task != null) {
            afterNap = null;
            task.run();
        }
    }

    private void endRound() {
        afterEachRound.run();
        for (int i = endOfRound.size(); i > 0; i--) {
            endOfRound.remove(i - 1).run();
        }
    }

    private void reportLateRound(long nanos) {
        try {
            events.late(name(), nanos);
        } catch (Throwable t) {
            rounds.handle("A listener failed", t);
        }
    }

    /**
     * Calls each link that must read again. A link that asks for one more call meanwhile gets the call in the next round, after all other
     * links.
     */
    private void readAgain() {
        for (int left = readAgain.size(); left > 0; left--) {
            readAgain.removeFirst().onReadAgain();
        }
    }

    private void closeFailed(int most) {
        for (int left = Math.min(most, failed.size()); left > 0; left--) {
            failed.removeFirst().closeFailed();
        }
    }

    /**
     * Notes that the reactor is awake. Until the next sleep a new command does not wake the selector, because the round runs all commands.
     */
    private void wakeUp() {
        if (asleep) {
            asleep = false;
            commands.awake();
            now = clock.nanos();
            roundBegan = now;
        }
    }

    private void ready(SelectionKey key) {
        wakeUp();
        if (key.isValid()) {
            ((Watch) key.attachment()).onReady(key.readyOps());
        }
    }

    private void open(SocketChannel channel, Opener opener, Runnable closed) {
        try {
            SocketLink link = new SocketLink(this, channel, closed);
            link.contain(() -> link.open(opener));
        } catch (IOException e) {
            // The client has disconnected since its connection was accepted.
            drop(channel, closed, e);
        } catch (RuntimeException | Error e) { // for example: no memory is left
            drop(channel, closed, e);
            throw e;
        }
    }

    /** Closes a channel that has no link. */
    private void drop(SocketChannel channel, Runnable closed, Throwable cause) {
        try {
            closeUnopened(channel, cause);
        } finally {
            closed.run();
        }
    }

    /** Closes a channel that has no link yet, and reports the close to the {@link ConnectionEvents}. Any thread may call this method. */
    public void closeUnopened(SocketChannel channel, Throwable cause) {
        SocketAddress remote = null;
        try (channel) {
            remote = channel.getRemoteAddress();
        } catch (IOException e) {
            LOG.debug("A connection that ended early did not close", e);
        }
        ConnectionClosed closed = closedBy(cause);
        try {
            events.closed(String.valueOf(remote), closed.reason(), closed.detail());
        } catch (Throwable t) {
            rounds.handle("A listener failed", t);
        }
    }

    private void closeAll() {
        now = clock.nanos();
        commands.runAll();
        closeFailed(failed.size());
        for (SocketLink link : links(Integer.MAX_VALUE)) {
            link.contain(() -> link.close(new ConnectionClosed(CloseCause.SERVER_STOPPING)));
        }
        try {
            selector.close();
        } catch (IOException e) {
            LOG.warn("The selector of {} did not close", thread.getName(), e);
        }
    }
}
