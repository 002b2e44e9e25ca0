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
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One selector thread and everything that belongs to it: its keys, its deadlines, and the buffer that it reads into.
 *
 * <p>A round has a fixed order: ready keys, links that read again, commands of other threads, deadlines, links that have failed, tasks for
 * the end of the round. Only the select itself blocks. An exception of a handler closes that handler's link, an exception of a command ends
 * that command; the loop continues. After a round that failed, the keys that had no turn are ready again in the next round. Commands,
 * deadlines, failed links and tasks wait where they were.
 *
 * <p>Thread: the reactor, unless a method says otherwise.
 */
public final class Reactor implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Reactor.class);
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int WHEEL_SIZE = 1024;
    private static final long FINE_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int FINE_WHEEL_SIZE = 16;

    /** A round that lasts longer is reported: clients notice it. */
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /**
     * The most failed links that one round closes, in about 2 ms. Thousands of links may fail at once, and other clients must not wait
     * until all are closed.
     */
    private static final int CLOSED_A_ROUND = 64;

    /** Causes made in advance, for links that end when no memory or no stack is left to make one. */
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
    private final ArrayDeque<SocketLink> readAgain = new ArrayDeque<>();
    private final ArrayDeque<SocketLink> failed = new ArrayDeque<>();
    private final List<Runnable> endOfRound = new ArrayList<>(1);
    private final Thread thread;
    // Made in advance, since a round must not fail when memory runs out.
    private final Consumer<SelectionKey> whenReady = this::ready;
    private final String failure;

    private long now;
    private long roundBegan;
    private boolean asleep;
    private volatile boolean stopping;

    /**
     * @param counters counts the bytes of this reactor's clients
     * @param readBuffer the most bytes that one read takes from a client
     * @param rounds guard its thread
     * @throws IOException if the system has no selector left
     */
    public Reactor(String name, Clock clock, ConnectionEvents events, Counters counters, int readBuffer, Rounds rounds)
            throws IOException {
        this.clock = clock;
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
        this.selector = Selector.open(); // last: if an earlier line throws, no selector stays open
        this.commands = new CommandQueue(selector::wakeup, rounds);
    }

    /** Starts the thread. Thread: the server's owner. */
    public void start() {
        thread.start();
    }

    /**
     * Takes a connected, non-blocking channel over for good. Any thread.
     *
     * @param opener makes its conversation
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

    /** Runs {@code task} on the reactor; it must not block. Any thread. */
    public void execute(Runnable task) {
        commands.add(task);
    }

    /** Visits a conversation. An exception closes that conversation's link only. */
    @FunctionalInterface
    public interface Visitor {
        void visit(LinkHandler handler) throws IOException;
    }

    /** Visits at most {@code most} of the open links now, in no particular order. Thread: the reactor. */
    public void forSomeHandlers(int most, Visitor visitor) {
        assert isCurrent();
        links(most).forEach(link -> link.accept(visitor));
    }

    /** Visits every open link, on the reactor. Any thread. */
    public void forEachHandler(Visitor visitor) {
        commands.add(() -> links(Integer.MAX_VALUE).forEach(link -> link.accept(visitor)));
    }

    /** Visits every open link, a few at a time with other work between them; then runs {@code done}, on the reactor. Any thread. */
    public void visitInTurns(Visitor visitor, Runnable done) {
        visitInTurns(visitor, done, VisitInTurns::atOnce);
    }

    void visitInTurns(Visitor visitor, Runnable done, IntUnaryOperator atOnce) {
        commands.add(() -> {
            List<SocketLink> links = links(Integer.MAX_VALUE);
            new VisitInTurns(this, links, visitor, done, atOnce.applyAsInt(links.size())).goOn();
        });
    }

    /** At most {@code most} open links. Some of them may have failed in this round. */
    private List<SocketLink> links(int most) {
        if (!selector.isOpen()) {
            return List.of(); // all links have been closed
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

    /** Closes every link and ends the thread. Any thread. */
    public void stop() {
        stopping = true;
        if (thread.getState() == Thread.State.NEW) {
            closeAll(); // the server could not start, so no loop runs that would close the links
        } else {
            selector.wakeup();
        }
    }

    /** The name of its thread. Any thread. */
    public String name() {
        return thread.getName();
    }

    /** Waits for the thread to end after {@link #stop}. Any other thread. */
    public void join() throws InterruptedException {
        thread.join();
    }

    /**
     * The time of this round or of the round before. It is precise enough for deadlines, and the call costs nothing.
     */
    public long now() {
        return now;
    }

    /** The time now, by the same clock. Any thread. */
    public long nanos() {
        return clock.nanos();
    }

    /** Converts a time of that clock to wall-clock time. Any thread. */
    public Instant onTheWall(long nanos) {
        return wall.at(nanos);
    }

    /** For the deadlines of clients. */
    public TimerWheel wheel() {
        return wheel;
    }

    /** For a few timers that must fire within a millisecond or two. */
    public TimerWheel fineWheel() {
        return fineWheel;
    }

    /**
     * An empty buffer to read into; its content is valid until the handler returns. All links of this reactor share it, for the handler
     * that reads decoded bytes. A link over a link must not use it for its own bytes: {@link Link#read} may be called with this buffer.
     */
    public ByteBuffer readBuffer() {
        assert isCurrent();
        return readBuffer.clear();
    }

    /** Buffers for parts of files. Any thread. */
    FileBuffers fileBuffers() {
        return fileBuffers;
    }

    /** Whether the calling thread is this reactor's. Any thread. */
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** Any thread. */
    Counters counters() {
        return counters;
    }

    /** Any thread. */
    CommandQueue commands() {
        return commands;
    }

    /** Calls the link's handler in the next round. */
    void readAgain(SocketLink link) {
        readAgain.addLast(link);
    }

    /** Runs the task once at the end of this round, even if many clients of the round ask for it. It must not block. */
    public void atEndOfRound(Runnable task) {
        assert isCurrent();
        if (!endOfRound.contains(task)) {
            endOfRound.add(task);
        }
    }

    /** A channel whose selection key is ready. Thread: the reactor. */
    interface Watch {
        void onReady(int operations);
    }

    /** The selector looks for these events of the channel from here on. */
    SelectionKey register(Watch watch, SelectableChannel channel, int interest) throws IOException {
        return channel.register(selector, interest, watch);
    }

    /**
     * Forgets channels that have been closed or unregistered. Otherwise the selector would keep their descriptors open until the next
     * round.
     */
    void releaseClosed() {
        assert isCurrent();
        try {
            selector.selectNow(ready -> {}); // keys that are ready now are reported again in the next round
        } catch (IOException e) {
            LOG.warn("{} cannot select", thread.getName(), e);
        }
    }

    /** Whether its thread runs. Any thread. */
    boolean isAlive() {
        return thread.isAlive();
    }

    /** The link is open, and has no key yet. */
    void hasNoKey(SocketLink link) {
        withoutKey.add(link);
    }

    /** The link has a key, has failed, or is closed. */
    void noLongerWithoutKey(SocketLink link) {
        withoutKey.remove(link);
    }

    /** The link has failed. It is closed after the links that failed before it. */
    void closeInTurn(SocketLink link) {
        failed.addLast(link);
    }

    /** A handler threw an exception that it may not throw. Its link ends; the loop continues. */
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

    /** Reports a failure of the server itself. Not even an exception of the listener may end the loop. */
    void report(SocketLink link, String what, Throwable cause) {
        rounds.survived(what, cause);
        try {
            events.failed(link.remote().toString(), cause);
        } catch (Throwable t) {
            rounds.survived("A listener failed", t);
        }
    }

    @Override
    public void run() {
        try {
            rounds.repeat(failure, this::goesOn, this::containedRound);
        } finally {
            rounds.contain("A reactor did not end cleanly", this::closeAll);
        }
    }

    private boolean goesOn() {
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
        long begins = clock.nanos();
        if (begins - roundBegan >= LATE_NANOS) {
            reportLateRound(begins - roundBegan);
        }
        roundBegan = begins;
        if (failed.isEmpty() && readAgain.isEmpty() && endOfRound.isEmpty() && commands.mayFallAsleep()) {
            asleep = true;
            long wait = Math.min(wheel.nanosToNext(begins), fineWheel.nanosToNext(begins));
            // Rounded up: a select that ended just before the deadline would only be repeated.
            selector.select(whenReady, wait == Long.MAX_VALUE ? 0 : TimeUnit.NANOSECONDS.toMillis(wait) + 1);
            wakeUp();
        } else {
            selector.selectNow(whenReady);
        }
        now = clock.nanos();
        readAgain();
        commands.runAll();
        wheel.advance(now);
        fineWheel.advance(now);
        closeFailed(CLOSED_A_ROUND);
    }

    private void endRound() {
        for (int i = endOfRound.size(); i > 0; i--) {
            endOfRound.remove(i - 1).run();
        }
    }

    private void reportLateRound(long nanos) {
        try {
            events.late(name(), nanos);
        } catch (Throwable t) {
            rounds.survived("A listener failed", t);
        }
    }

    /** A link that asks for another turn during its turn gets it in the next round, after all other links. */
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

    /** From here to the next sleep commands need not wake the selector: the round runs them anyway. */
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
            drop(channel, closed, e); // the client has disconnected since the accept
        } catch (RuntimeException | Error e) { // for example out of memory
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

    /** Closes a channel that has no conversation, and notifies the listener. Any thread. */
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
            rounds.survived("A listener failed", t);
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
