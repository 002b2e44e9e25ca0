package io.penstock.context;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests and upgraded connections that an application serves at this moment. Each of them is a {@link Visit}. An undeployment
 * calls {@link #close}, and stops the application when the last visit has ended.
 *
 * <p>Thread: any; no method waits.
 *
 * <pre>
 * OPEN ──close──► CLOSED ──last visit ends──► EMPTY
 * </pre>
 */
public final class InFlight {
    private final AtomicLong present = new AtomicLong();
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private final Set<Visit> withTimeoutAction = ConcurrentHashMap.newKeySet();
    private final Set<Visit> withUndeployAction = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<@Nullable Void> empty = new CompletableFuture<>();
    private volatile boolean timedOut;

    private enum State {
        OPEN,
        CLOSED,
        EMPTY
    }

    private enum Stay {
        INSIDE,
        ENDED
    }

    private static final AtomicReferenceFieldUpdater<Visit, Stay> STAY =
            AtomicReferenceFieldUpdater.newUpdater(Visit.class, Stay.class, "stay");

    /**
     * Represents one request, or one upgraded connection, from {@link #enter} to {@link #end}. Each visit must be ended. A second call of
     * {@link #end} has no effect.
     */
    public final class Visit {
        // A field updater saves one atomic object for each request.
        private volatile Stay stay = Stay.INSIDE;
        private volatile @Nullable Runnable timeoutAction;
        private volatile @Nullable Runnable undeployAction;

        private Visit() {}

        /**
         * Sets an action for a request that continues without a thread: an asynchronous request, or an upgraded connection.
         *
         * @param action ends the request when the undeployment has timed out. The action can run twice, on any thread
         */
        public void onUndeployTimeout(Runnable action) {
            timeoutAction = action;
            withTimeoutAction.add(this);
            // Checked after the visit is added to the set, as in onUndeploy().
            if (timedOut) {
                action.run();
            }
            if (stay == Stay.ENDED) {
                withTimeoutAction.remove(this);
            }
        }

        /**
         * Sets an action for an upgraded connection. Without this action, the connection could stay open until the undeployment times out.
         *
         * @param action starts to close the connection when the undeployment begins. The action can run twice, on any thread, and must not
         *     block
         */
        public void onUndeploy(Runnable action) {
            undeployAction = action;
            withUndeployAction.add(this);
            // The state must be checked after the visit is added to the set. Then either close() finds the visit in the
            // set, or this check finds that close() has been called.
            if (state.get() != State.OPEN) {
                action.run();
            }
            if (stay == Stay.ENDED) {
                withUndeployAction.remove(this);
            }
        }

        public void end() {
            if (STAY.compareAndSet(this, Stay.INSIDE, Stay.ENDED)) {
                withTimeoutAction.remove(this);
                withUndeployAction.remove(this);
                leave();
            }
        }

        private void runUndeployAction() {
            Runnable action = undeployAction;
            if (action != null) {
                action.run();
            }
        }

        private void runTimeoutAction() {
            Runnable action = timeoutAction;
            if (action != null) {
                action.run();
            }
        }
    }

    /**
     * Called when a request begins. Returns null if the application is being undeployed. In this case the caller must find another
     * application for the request.
     */
    public @Nullable Visit enter() {
        present.incrementAndGet();
        // The state is checked after the increment. So if close() is called after the check, the counter already
        // includes this request.
        if (state.get() == State.OPEN) {
            return new Visit();
        }
        leave();
        return null;
    }

    private void leave() {
        if (present.decrementAndGet() == 0) {
            completeIfEmpty();
        }
    }

    /**
     * Admits no more requests. The returned stage completes when the last visit has ended. It can complete on the thread that ends this
     * visit.
     */
    public CompletionStage<@Nullable Void> close() {
        state.compareAndSet(State.OPEN, State.CLOSED);
        withUndeployAction.forEach(Visit::runUndeployAction);
        if (present.get() == 0) {
            completeIfEmpty();
        }
        return empty;
    }

    private void completeIfEmpty() {
        if (state.compareAndSet(State.CLOSED, State.EMPTY)) {
            empty.complete(null);
        }
    }

    /** Called when the undeployment has timed out. Ends the requests that continue without a thread. */
    public void runTimeoutActions() {
        timedOut = true;
        withTimeoutAction.forEach(Visit::runTimeoutAction);
    }

    /** The number of requests and upgraded connections that the application serves; a snapshot. */
    public long count() {
        return present.get();
    }
}
