package io.penstock.dispatch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.context.WebContext;
import io.penstock.exchange.Exchange;
import io.penstock.request.AsyncSupport;
import io.penstock.request.HttpRequest;
import io.penstock.time.Saturated;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The state of an exchange's asynchronous processing (Servlet 2.3.3.3). A lock guards the state. A table has all legal transitions; any
 * other transition throws {@link IllegalStateException}. Methods that only read the state take no lock, since the state is one volatile
 * field. An exchange that is never asynchronous takes no lock: {@link #returned} moves its state by one atomic operation. So each move is
 * atomic.
 *
 * <p>Thread: any. Calls of {@code complete} and {@code dispatch} change the state and enqueue a job. The job completes the exchange or
 * dispatches the request. The jobs of an exchange run one at a time.
 *
 * <p>A cycle is the asynchronous processing from one call of {@code startAsync} to the next {@code complete} or {@code dispatch}.
 *
 * <pre>
 *  DISPATCHED ──start──▶ STARTED ──return──▶ WAITING ──complete──▶ COMPLETING ──run──▶ COMPLETED
 *   │    ▲                │ │ │                │  │ └─dispatch──▶ DISPATCHING ──run──▶ DISPATCHED
 *   │    │       complete─┘ │ └─notify─┐       │  └─notify (time-out, error)──▶ NOTIFYING
 *   │    │   COMPLETE_AFTER │dispatch  │       │             complete │ │ dispatch
 *   │    │      return│   DISPATCH_AFTER ──return──▶ DISPATCHING      ▼ ▼
 *   │    └────────────│────────────────────────┐     COMPLETE_NOTIFIED / DISPATCH_NOTIFIED
 *   └──return──▶ COMPLETED ◀──return── NOTIFYING (nobody called complete or dispatch)
 * </pre>
 */
final class AsyncState implements AsyncSupport {
    enum State {
        /** A dispatch of the container runs. The request is not asynchronous. */
        DISPATCHED,
        /** {@code startAsync} was called in the running dispatch. */
        STARTED,
        /** {@code complete} was called before the running dispatch has returned. */
        COMPLETE_AFTER,
        /** {@code dispatch} was called before the running dispatch has returned. */
        DISPATCH_AFTER,
        /** The dispatch has returned. The application must call {@code complete} or {@code dispatch} later. */
        WAITING,
        /** {@code complete} was called. The job that completes the exchange is enqueued. */
        COMPLETING,
        /** {@code dispatch} was called. The job that dispatches the request is enqueued. */
        DISPATCHING,
        /** Listeners are being notified of a time-out or an error. An error page may be sent afterwards. */
        NOTIFYING,
        /** {@code complete} was called before the running notification has returned. Listeners may still use request and response. */
        COMPLETE_NOTIFIED,
        /** {@code dispatch} was called before the running notification has returned. Listeners may still use request and response. */
        DISPATCH_NOTIFIED,
        /** The exchange has ended. */
        COMPLETED
    }

    private enum Move {
        START,
        COMPLETE,
        DISPATCH,
        NOTIFY,
        RETURN
    }

    /** The next step for the caller of {@link #returned()}. */
    enum Next {
        WAIT,
        COMPLETE,
        DISPATCH
    }

    /**
     * The exchange to which this state belongs. The exchange acts on calls of the application, on time-outs, and on the client's
     * disconnect.
     */
    interface Owner {
        /** Called when a cycle has begun. Thread: any application thread. */
        void asyncStarted();

        /**
         * Called when a forward or an include enters a context. The context must not stop before the exchange has ended. Thread: any
         * application thread.
         */
        void enter(WebContext context) throws ServletException;

        /** Returns the target of {@code dispatch()} without a path (Servlet 9.7). Thread: any application thread. */
        Target sameTarget(Cycle cycle);

        /** Carries out a completion or a dispatch. Thread: a job of the exchange. */
        void proceed();

        /** Called when the cycle has timed out. Thread: a job of the exchange. */
        void expire(int timer);

        /** Called when the client has disconnected while the state is {@link State#WAITING}. Thread: a job of the exchange. */
        void clientGone();

        /** Runs a task of {@code AsyncContext.start}. Thread: a worker, concurrently with the jobs of the exchange. */
        void runTask(Runnable task);

        /** Runs a method of a ReadListener or WriteListener. Thread: a job of the exchange. */
        void runCallback(Callback callback, ErrorCallback onError);
    }

    private static final AtomicReferenceFieldUpdater<AsyncState, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(AsyncState.class, State.class, "state");

    private static final Map<State, Map<Move, State>> MOVES = new EnumMap<>(State.class);

    static {
        MOVES.put(
                State.DISPATCHED,
                Map.of(Move.START, State.STARTED, Move.NOTIFY, State.NOTIFYING, Move.RETURN, State.COMPLETED));
        MOVES.put(
                State.STARTED,
                Map.of(
                        Move.COMPLETE, State.COMPLETE_AFTER,
                        Move.DISPATCH, State.DISPATCH_AFTER,
                        Move.NOTIFY, State.NOTIFYING,
                        Move.RETURN, State.WAITING));
        // The API allows further calls of complete() until the exchange has ended. They change nothing.
        MOVES.put(State.COMPLETE_AFTER, Map.of(Move.COMPLETE, State.COMPLETE_AFTER, Move.RETURN, State.COMPLETED));
        MOVES.put(State.DISPATCH_AFTER, Map.of(Move.NOTIFY, State.NOTIFYING, Move.RETURN, State.DISPATCHING));
        MOVES.put(
                State.WAITING,
                Map.of(
                        Move.COMPLETE, State.COMPLETING,
                        Move.DISPATCH, State.DISPATCHING,
                        Move.NOTIFY, State.NOTIFYING));
        MOVES.put(State.COMPLETING, Map.of(Move.COMPLETE, State.COMPLETING, Move.RETURN, State.COMPLETED));
        MOVES.put(State.DISPATCHING, Map.of(Move.RETURN, State.DISPATCHED));
        MOVES.put(
                State.NOTIFYING,
                Map.of(
                        Move.COMPLETE, State.COMPLETE_NOTIFIED,
                        Move.DISPATCH, State.DISPATCH_NOTIFIED,
                        Move.RETURN, State.COMPLETED));
        MOVES.put(
                State.COMPLETE_NOTIFIED, Map.of(Move.COMPLETE, State.COMPLETE_NOTIFIED, Move.RETURN, State.COMPLETED));
        MOVES.put(State.DISPATCH_NOTIFIED, Map.of(Move.RETURN, State.DISPATCHING));
        MOVES.put(State.COMPLETED, Map.of());
    }

    private static final Set<State> UNDECIDED = EnumSet.of(State.STARTED, State.WAITING, State.NOTIFYING);
    private static final Set<State> NOTIFIED = EnumSet.of(State.COMPLETE_NOTIFIED, State.DISPATCH_NOTIFIED);
    private static final Set<State> ASYNCHRONOUS = EnumSet.of(
            State.STARTED,
            State.COMPLETE_AFTER,
            State.DISPATCH_AFTER,
            State.WAITING,
            State.NOTIFYING,
            State.COMPLETE_NOTIFIED,
            State.DISPATCH_NOTIFIED);

    private final Exchange exchange;
    private final Owner owner;
    private final Duration defaultTimeout;

    /** Written only under the monitor. Any thread may read the field without the monitor. */
    private volatile State state = State.DISPATCHED;

    /** Set under the monitor by the first {@code startAsync}. Null in most exchanges, which are never asynchronous. */
    private volatile @Nullable AsyncListeners listeners;

    @GuardedBy("this")
    private int cycle;

    @GuardedBy("this")
    private long timeout;

    @GuardedBy("this")
    private Exchange.@Nullable Timeout timer;

    /** The number of timers that have been armed. The job of a former timer, which is already enqueued, has a smaller number. */
    @GuardedBy("this")
    private int timers;

    @GuardedBy("this")
    private @Nullable AsyncContextFacade context;

    @GuardedBy("this")
    private @Nullable Cycle current;

    @GuardedBy("this")
    private @Nullable Target target;

    /** Callbacks that came while a dispatch was enqueued; null if there are none. The next cycle calls the listeners. */
    @GuardedBy("this")
    private @Nullable List<Runnable> deferred;

    /** The first filter or servlet of the running dispatch that does not support asynchronous processing; null if all do. */
    private volatile @Nullable Object unsupported;

    /** The arguments of the call of {@code startAsync} that has begun the cycle. */
    record Cycle(HttpRequest source, ServletRequest request, ServletResponse response, Given given) {}

    /** @param defaultTimeout the time-out of cycles for which the application sets no time-out; zero for no limit */
    AsyncState(Exchange exchange, Owner owner, Duration defaultTimeout) {
        this.exchange = exchange;
        this.owner = owner;
        this.defaultTimeout = defaultTimeout;
    }

    // ---- the application's side

    @Override
    public AsyncContext start(ServletRequest request, ServletResponse response, Given given) {
        Object without = unsupported;
        if (without != null) {
            throw new IllegalStateException(
                    "The " + without
                            + " does not support asynchronous processing: it is not declared with async-supported (asyncSupported)");
        }
        HttpRequest own = Wrapping.container(request);
        AsyncContextFacade started;
        AsyncListeners notified;
        synchronized (this) {
            move(Move.START);
            cycle++;
            timeout = Saturated.millis(defaultTimeout);
            current = new Cycle(own, request, response, given);
            if (context == null) {
                context = new AsyncContextFacade(this);
                listeners = new AsyncListeners(context);
            }
            started = context;
            notified = Objects.requireNonNull(listeners);
        }
        owner.asyncStarted();
        notified.restart();
        return started;
    }

    @Override
    public synchronized AsyncContext current() {
        if (context == null || !ASYNCHRONOUS.contains(state)) {
            throw new IllegalStateException("The request is not in asynchronous mode");
        }
        return context;
    }

    @Override
    public boolean isStarted() {
        return ASYNCHRONOUS.contains(state);
    }

    @Override
    public boolean isSupported() {
        return unsupported == null;
    }

    void complete() {
        synchronized (this) {
            State before = state;
            if (move(Move.COMPLETE) != State.COMPLETING || before == State.COMPLETING) {
                // The exchange completes when the running dispatch or notification returns, or by an earlier call.
                return;
            }
            cancelTimer();
        }
        exchange.resume(owner::proceed);
    }

    void dispatch(Target to) {
        synchronized (this) {
            State now = move(Move.DISPATCH);
            target = to;
            if (now != State.DISPATCHING) {
                // The dispatch is enqueued when the running dispatch or notification returns.
                return;
            }
            cancelTimer();
        }
        exchange.resume(owner::proceed);
    }

    /** Called when a forward or an include enters a context. The context must not stop before the exchange has ended. */
    void enter(WebContext context) throws ServletException {
        owner.enter(context);
    }

    /** Returns the target of {@code dispatch()} without a path. */
    Target sameTarget() {
        Cycle started = undecided();
        return owner.sameTarget(started);
    }

    void run(Runnable task) {
        undecided();
        exchange.execute(() -> owner.runTask(task));
    }

    void add(AsyncListener listener, @Nullable ServletRequest request, @Nullable ServletResponse response) {
        synchronized (this) {
            checkAsynchronous();
        }
        Objects.requireNonNull(listeners).add(listener, request, response);
    }

    /** Sets the time-out of the cycle. If the cycle is waiting already, the new time begins now. */
    synchronized void timeout(long millis) {
        checkAsynchronous();
        timeout = millis;
        if (state == State.WAITING) {
            cancelTimer();
            armTimer();
        }
    }

    synchronized long timeout() {
        return timeout;
    }

    /** Returns the current cycle. Throws if {@code complete} or {@code dispatch} has been called in this cycle. */
    synchronized Cycle undecided() {
        return cycleIf(UNDECIDED.contains(state));
    }

    /**
     * Returns the current cycle, as {@link #undecided}. While listeners are notified of a time-out or an error, a call of {@code complete} by
     * another thread does not take request and response away from them.
     */
    synchronized Cycle usable() {
        return cycleIf(UNDECIDED.contains(state) || NOTIFIED.contains(state));
    }

    @GuardedBy("this")
    private Cycle cycleIf(boolean legal) {
        if (current == null || !legal) {
            throw new IllegalStateException(
                    "complete() or dispatch() has been called, or the request is not in asynchronous mode");
        }
        return current;
    }

    @Override
    public void callback(Callback callback, ErrorCallback onError) {
        exchange.resume(() -> call(callback, onError));
    }

    /** Thread: a job of the exchange. */
    private void call(Callback callback, ErrorCallback onError) {
        synchronized (this) {
            if (state == State.DISPATCHING) {
                // The stream does not ask for this callback again: it must not be lost if the dispatch begins a cycle.
                if (deferred == null) {
                    deferred = new ArrayList<>(2);
                }
                deferred.add(() -> callback(callback, onError));
            }
            if (state != State.WAITING) {
                return;
            }
        }
        owner.runCallback(callback, onError);
    }

    @Override
    public void resume(Runnable job) {
        exchange.resume(job);
    }

    // ---- the container's side

    /** @param holder the filter or servlet that does not support asynchronous processing; null if there is none */
    void unsupported(@Nullable Object holder) {
        unsupported = holder;
    }

    /**
     * Called before each call of a filter or servlet. Returns the value that the caller must restore after that call.
     *
     * @param holder the filter or servlet; its text names it
     */
    @Nullable
    Object pass(Object holder, boolean supports) {
        Object before = unsupported;
        if (!supports && before == null) {
            unsupported = holder;
        }
        return before;
    }

    /**
     * Called when a dispatch or a notification has returned to the container. Also called before a job carries out a completion or a
     * dispatch.
     */
    Next returned() {
        if (state == State.DISPATCHED && STATE.compareAndSet(this, State.DISPATCHED, State.COMPLETED)) {
            return Next.COMPLETE;
        }
        State now;
        List<Runnable> callbacks = List.of();
        synchronized (this) {
            now = move(Move.RETURN);
            if (now == State.WAITING) {
                armTimer();
                if (deferred != null) {
                    callbacks = deferred;
                    deferred = null;
                }
            }
        }
        switch (now) {
            case WAITING -> {
                callbacks.forEach(Runnable::run);
                exchange.whenGone(owner::clientGone);
                return Next.WAIT;
            }
            case DISPATCHED -> {
                return Next.DISPATCH;
            }
            case COMPLETED -> {
                return Next.COMPLETE;
            }
            default -> {
                // In the state DISPATCHING a separate job continues. With a direct call, repeated dispatches would grow
                // the stack.
                exchange.resume(owner::proceed);
                return Next.WAIT;
            }
        }
    }

    /**
     * Begins a notification of the listeners. Returns false if the exchange was never asynchronous, if a notification is running already,
     * or if the present state allows no notification.
     */
    synchronized boolean beginNotification() {
        if (cycle == 0 || state == State.NOTIFYING || !canNotify()) {
            return false;
        }
        cancelTimer();
        move(Move.NOTIFY);
        return true;
    }

    /**
     * Begins the notification of a time-out, if the timer {@code ofTimer} is still in force. Returns whether the notification has begun.
     */
    synchronized boolean beginExpiry(int ofTimer) {
        if (timer == null || timers != ofTimer || state != State.WAITING) {
            return false;
        }
        timer = null;
        move(Move.NOTIFY);
        return true;
    }

    /** Begins the notification of the client's disconnect, if a cycle is waiting. Returns whether the notification has begun. */
    synchronized boolean beginDisconnect() {
        if (state != State.WAITING) {
            return false;
        }
        cancelTimer();
        move(Move.NOTIFY);
        return true;
    }

    /** Whether {@code complete} or {@code dispatch} has been called during the notification. */
    boolean isDecided() {
        return NOTIFIED.contains(state);
    }

    boolean isWaiting() {
        return state == State.WAITING;
    }

    boolean isCompleted() {
        return state == State.COMPLETED;
    }

    /** The target of the enqueued dispatch. */
    synchronized Target target() {
        if (target == null) {
            throw new IllegalStateException("dispatch() has not been called");
        }
        return target;
    }

    synchronized Cycle cycle() {
        if (current == null) {
            throw new IllegalStateException("startAsync() has not been called");
        }
        return current;
    }

    /** The listeners; null if the exchange was never asynchronous. */
    @Nullable
    AsyncListeners listeners() {
        return listeners;
    }

    @GuardedBy("this")
    private boolean canNotify() {
        Map<Move, State> legal = MOVES.get(state);
        return legal != null && legal.containsKey(Move.NOTIFY);
    }

    @GuardedBy("this")
    private State move(Move move) {
        while (true) {
            State now = state;
            Map<Move, State> legal = MOVES.get(now);
            State next = legal == null ? null : legal.get(move);
            if (next == null) {
                throw new IllegalStateException("Not possible now: " + move + " while " + now);
            }
            if (STATE.compareAndSet(this, now, next)) {
                return next;
            }
        }
    }

    /**
     * The specification allows changes only until the dispatch that called {@code startAsync} has returned. Libraries such as CometD change
     * listeners and time-out later, and other servers allow this. So a change is possible until {@code complete} or {@code dispatch} has
     * been carried out.
     */
    @GuardedBy("this")
    private void checkAsynchronous() {
        if (!ASYNCHRONOUS.contains(state)) {
            throw new IllegalStateException(
                    "complete() or dispatch() has been called, or the request is not in asynchronous mode");
        }
    }

    @GuardedBy("this")
    private void armTimer() {
        if (timeout > 0) {
            int armed = ++timers;
            timer = exchange.resumeAfter(Duration.ofMillis(timeout), () -> owner.expire(armed));
        }
    }

    @GuardedBy("this")
    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
