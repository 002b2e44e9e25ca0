package io.penstock.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the failures for lack of memory, and runs an action if the shortage lasts. The action runs after three failures with a full heap
 * within ten seconds. It also runs if the heap stays full without a failure ({@link CollectionWatch}).
 *
 * <p>After each failure this class tries to allocate an array of 1/32 of the heap size. If the allocation fails, the heap is regarded as
 * full. Other failures are only counted, because the server can continue. Examples are an array that is too large, and a shortage of
 * threads or of memory outside the heap.
 *
 * <p>Thread: any. The array is the only memory that this class allocates.
 */
public final class MemoryWatch {
    /** The number of failures with a full heap within {@link #WINDOW} after which the action runs. */
    private static final int MAX = 3;

    private static final long WINDOW = TimeUnit.SECONDS.toNanos(10);

    private static final int DEEPEST_CAUSE = 16;
    private static final int PART = 32;
    private static final long MIN_PART = 64 << 10;
    private static final long LARGEST_PART = 64 << 20;

    private final LongSupplier nanos;
    private final BooleanSupplier heapIsFull;
    private final Runnable exhausted;

    /** This field is set once, before the threads of the server start. */
    private volatile @Nullable Runnable counted;

    /** The times of the last failures with a full heap. The index of a failure is the number of the failure modulo {@link #MAX}. */
    @GuardedBy("this")
    private final long[] failures = new long[MAX];

    @GuardedBy("this")
    private long number;

    @GuardedBy("this")
    private boolean hasNotified;

    @GuardedBy("this")
    private long lastNotified;

    /**
     * @param exhausted the action for a shortage that lasts. It runs on the thread of the last failure, or on the thread of {@link
     *     CollectionWatch}. At that time possibly no memory is left
     */
    public MemoryWatch(Runnable exhausted) {
        this(exhausted, System::nanoTime, new Heap()::isFull);
    }

    MemoryWatch(Runnable exhausted, LongSupplier nanos, BooleanSupplier heapIsFull) {
        this.exhausted = exhausted;
        this.nanos = nanos;
        this.heapIsFull = heapIsFull;
    }

    /** Sets an action that runs at each failure for lack of memory of any kind. */
    public void whenCounted(Runnable action) {
        counted = action;
    }

    /**
     * Called with each exception that has ended a round (see {@link Rounds}), a connection or a task. The exception is counted as a failure
     * if it is an {@link OutOfMemoryError}, or if an {@link OutOfMemoryError} is one of its causes.
     */
    public void met(Throwable thrown) {
        if (!isWantOfMemory(thrown)) {
            return;
        }
        try {
            Runnable action = counted;
            if (action != null) {
                action.run();
            }
        } finally {
            if (heapIsFull.getAsBoolean() && isOneTooMany()) {
                notifyExhausted();
            }
        }
    }

    /** Called when garbage collections take nearly all the time and free nearly no memory. */
    void heapStaysFull() {
        if (claimsNotification()) {
            notifyExhausted();
        }
    }

    /** Runs {@link #exhausted}. If the action fails, the next failure for lack of memory runs the action again. */
    private void notifyExhausted() {
        boolean notified = false;
        try {
            exhausted.run();
            notified = true;
        } finally {
            if (!notified) {
                withdrawNotification();
            }
        }
    }

    private synchronized boolean claimsNotification() {
        if (wasNotifiedLately()) {
            return false;
        }
        hasNotified = true;
        lastNotified = nanos.getAsLong();
        return true;
    }

    private synchronized void withdrawNotification() {
        hasNotified = false;
    }

    private synchronized boolean wasNotifiedLately() {
        return hasNotified && nanos.getAsLong() - lastNotified < WINDOW;
    }

    private static boolean isWantOfMemory(Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof OutOfMemoryError) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /**
     * Counts a failure with a full heap. Returns whether the action must run now. The result is true at most once within {@link #WINDOW}.
     */
    private synchronized boolean isOneTooMany() {
        long now = nanos.getAsLong();
        failures[(int) (number++ % MAX)] = now;
        long oldest = failures[(int) (number % MAX)];
        return number >= MAX && now - oldest < WINDOW && claimsNotification();
    }

    /**
     * Whether a failure with a full heap occurred in the last ten seconds, or the action ran in the last ten seconds. If so, the process is
     * not healthy.
     */
    public synchronized boolean isShort() {
        return wasNotifiedLately() || (number > 0 && nanos.getAsLong() - failures[(int) ((number - 1) % MAX)] < WINDOW);
    }

    /** The heap of this process. */
    private static final class Heap {
        private final int part = (int)
                Math.min(LARGEST_PART, Math.max(MIN_PART, Runtime.getRuntime().maxMemory() / PART));

        /** This field is written and read. Otherwise the JIT compiler could remove the allocation. */
        private volatile byte @Nullable [] attempt;

        boolean isFull() {
            try {
                attempt = new byte[part];
                // The comparison is never true.
                return attempt == null;
            } catch (OutOfMemoryError e) {
                return true;
            } finally {
                attempt = null;
            }
        }
    }
}
