package io.penstock.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts how often memory has run out, and acts if the shortage lasts: after three failures with a full heap within ten seconds, or if the
 * heap stays full without a failure ({@link CollectionWatch}).
 *
 * <p>The heap counts as full if an array of one thirty-second of its size cannot be allocated after the failure. Other failures are
 * only counted, since the server can continue: an array that is too large, or a shortage of threads or of memory outside the heap.
 *
 * <p>Thread: any. This class allocates no other memory than that array.
 */
public final class MemoryWatch {
    /** This number of failures with a full heap within {@link #WINDOW} is too many. */
    private static final int MOST = 3;

    private static final long WINDOW = TimeUnit.SECONDS.toNanos(10);

    private static final int DEEPEST_CAUSE = 16;
    private static final int PART = 32;
    private static final long LEAST_PART = 64 << 10;
    private static final long LARGEST_PART = 64 << 20;

    private final LongSupplier nanos;
    private final BooleanSupplier heapIsFull;
    private final Runnable exhausted;

    /** Set once, before the server's threads start. */
    private volatile @Nullable Runnable counted;

    /** The times of the last failures with a full heap. The index of a failure is its number modulo {@link #MOST}. */
    @GuardedBy("this")
    private final long[] failures = new long[MOST];

    @GuardedBy("this")
    private long number;

    @GuardedBy("this")
    private boolean hasNotified;

    @GuardedBy("this")
    private long lastNotified;

    /** @param exhausted runs when memory stays short, on the thread of the last failure or of the check; memory may be exhausted */
    public MemoryWatch(Runnable exhausted) {
        this(exhausted, System::nanoTime, new Heap()::isFull);
    }

    MemoryWatch(Runnable exhausted, LongSupplier nanos, BooleanSupplier heapIsFull) {
        this.exhausted = exhausted;
        this.nanos = nanos;
        this.heapIsFull = heapIsFull;
    }

    /** Sets an action that runs each time when memory of any kind has run out. */
    public void whenCounted(Runnable action) {
        counted = action;
    }

    /**
     * Notes an exception that has ended a round, a connection or a task. Counts it if it is, or was caused by, an {@link OutOfMemoryError}.
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

    /** Called when collections take nearly all the time and free hardly any memory. */
    void heapStaysFull() {
        if (claimsNotification()) {
            notifyExhausted();
        }
    }

    /**
     * Runs {@link #exhausted} once, even if several threads fail at the same time. If the action fails, the next failure of memory tries
     * again.
     */
    private void notifyExhausted() {
        boolean notified = false;
        try {
            exhausted.run();
            notified = true;
        } finally {
            if (!notified) {
                disclaim();
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

    private synchronized void disclaim() {
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

    /** Whether there are too many failures; true at most once in a window. */
    private synchronized boolean isOneTooMany() {
        long now = nanos.getAsLong();
        failures[(int) (number++ % MOST)] = now;
        long oldest = failures[(int) (number % MOST)];
        return number >= MOST && now - oldest < WINDOW && claimsNotification();
    }

    /** Whether the heap was full at a failure of the last ten seconds, or has stayed full. If true, the process is not healthy. */
    public synchronized boolean isShort() {
        return wasNotifiedLately()
                || (number > 0 && nanos.getAsLong() - failures[(int) ((number - 1) % MOST)] < WINDOW);
    }

    /** The heap of this process. */
    private static final class Heap {
        private final int part = (int)
                Math.min(LARGEST_PART, Math.max(LEAST_PART, Runtime.getRuntime().maxMemory() / PART));

        /** Written and read so that the JIT compiler does not remove the allocation. */
        private volatile byte @Nullable [] attempt;

        boolean isFull() {
            try {
                attempt = new byte[part];
                return attempt == null; // never true
            } catch (OutOfMemoryError e) {
                return true;
            } finally {
                attempt = null;
            }
        }
    }
}
