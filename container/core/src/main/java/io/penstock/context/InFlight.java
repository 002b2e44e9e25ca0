package io.penstock.context;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The requests that an application is busy with, and the connections that have come of some, so that it can end when the last has left it, and nobody comes in after it.
 *
 * <p>Thread: any; nobody waits here.
 *
 * <pre>
 * OPEN ──close──► CLOSED ──the last leaves──► EMPTY
 * </pre>
 */
public final class InFlight {
    private final AtomicLong present = new AtomicLong();
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.OPEN);
    private final Set<Visit> staying = ConcurrentHashMap.newKeySet();
    private final Set<Visit> livingOn = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<@Nullable Void> emptied = new CompletableFuture<>();

    private enum Stage {
        OPEN,
        CLOSED,
        EMPTY
    }

    /** One request's stay in the application; it must be ended, and can be any number of times. */
    public final class Visit {
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile @Nullable Runnable giveUp;
        private volatile @Nullable Runnable leave;

        private Visit() {}

        /**
         * The request may stay although no thread runs in it.
         *
         * @param giveUpAtLast asks it to leave, when the application cannot wait longer; any thread
         */
        public void stays(Runnable giveUpAtLast) {
            giveUp = giveUpAtLast;
            staying.add(this);
            if (over.get()) {
                staying.remove(this);
            }
        }

        /**
         * It goes on for as long as the application, if nobody ends it before.
         *
         * @param leaveSoon asks it to leave: once nobody comes in any more, perhaps twice; any thread, which it must not hold up
         */
        public void livesOn(Runnable leaveSoon) {
            leave = leaveSoon;
            livingOn.add(this);
            if (stage.get() != Stage.OPEN) { // looked at after it is in the set: who closes asks it, or it asks itself
                leaveSoon.run();
            }
            if (over.get()) {
                livingOn.remove(this);
            }
        }

        public void end() {
            if (over.compareAndSet(false, true)) {
                staying.remove(this);
                livingOn.remove(this);
                InFlight.this.leave();
            }
        }

        private void leaveSoon() {
            Runnable asked = leave;
            if (asked != null) {
                asked.run();
            }
        }

        private void giveUp() {
            Runnable asked = giveUp;
            if (asked != null) {
                asked.run();
            }
        }
    }

    /** A request comes in; null if it comes too late, and has to look for another application. */
    public @Nullable Visit enter() {
        present.incrementAndGet();
        if (stage.get() == Stage.OPEN) { // looked at after the count is up: who closes sees this request
            return new Visit();
        }
        leave();
        return null;
    }

    private void leave() {
        if (present.decrementAndGet() == 0) {
            endIfEmpty();
        }
    }

    /** Lets nobody in from now on. What is returned is complete when the last has left; it may be completed by that one's thread. */
    public CompletionStage<@Nullable Void> close() {
        stage.compareAndSet(Stage.OPEN, Stage.CLOSED);
        livingOn.forEach(Visit::leaveSoon);
        if (present.get() == 0) {
            endIfEmpty();
        }
        return emptied;
    }

    private void endIfEmpty() {
        if (stage.compareAndSet(Stage.CLOSED, Stage.EMPTY)) {
            emptied.complete(null);
        }
    }

    /** Asks those to leave in which no thread runs: they would stay for as long as their clients, or others, let them. */
    public void giveUpStaying() {
        staying.forEach(Visit::giveUp);
    }

    /** How many are in; a snapshot. */
    public long count() {
        return present.get();
    }
}
