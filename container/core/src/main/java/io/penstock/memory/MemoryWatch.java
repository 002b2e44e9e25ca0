package io.penstock.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the times that memory has run out, and acts where it does not come back: three times within ten seconds with a full heap, or a
 * heap that stays full without a failure ({@link CollectionWatch}).
 *
 * <p>The heap counts as full if a small part of it, a thirty-second, cannot be had after the failure. So a request for one array that is
 * too large, want of memory outside the heap, and want of threads are counted, but do not end anything: the server can go on.
 *
 * <p>Thread: any. Nothing here allocates but that attempt.
 */
public final class MemoryWatch {
    /** Failures with a full heap within {@link #WINDOW} that are too many. */
    private static final int MOST = 3;

    private static final long WINDOW = TimeUnit.SECONDS.toNanos(10);

    private static final int DEEPEST_CAUSE = 16;
    private static final int PART = 32;
    private static final long LEAST_PART = 64 << 10;
    private static final long LARGEST_PART = 64 << 20;

    private final LongSupplier nanos;
    private final BooleanSupplier heapIsFull;
    private final Runnable exhausted;

    /** Set before anything can fail, by the one that makes the server. */
    private volatile @Nullable Runnable counted;

    /** When the last failures with a full heap were, each at its number modulo {@link #MOST}. */
    @GuardedBy("this")
    private final long[] failures = new long[MOST];

    @GuardedBy("this")
    private long number;

    @GuardedBy("this")
    private boolean hasTold;

    @GuardedBy("this")
    private long lastTold;

    /** @param exhausted runs on the thread that fails for the third time, or that looks; there may be no memory for it */
    public MemoryWatch(Runnable exhausted) {
        this(exhausted, System::nanoTime, new Heap()::isFull);
    }

    MemoryWatch(Runnable exhausted, LongSupplier nanos, BooleanSupplier heapIsFull) {
        this.exhausted = exhausted;
        this.nanos = nanos;
        this.heapIsFull = heapIsFull;
    }

    /** Runs {@code action} each time that memory has run out, whichever memory. */
    public void whenCounted(Runnable action) {
        counted = action;
    }

    /** Something has been thrown where a round, a connection or a task ends with it. Counts if it is, or was caused by, want of memory. */
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
                tell();
            }
        }
    }

    /** Collections of the heap leave no time for anything else, and hardly free any of it. */
    void heapStaysFull() {
        if (claimsToTell()) {
            tell();
        }
    }

    /** Of several threads that fail at one time, one tells. If it fails, the next failure may. */
    private void tell() {
        boolean told = false;
        try {
            exhausted.run();
            told = true;
        } finally {
            if (!told) {
                disclaim();
            }
        }
    }

    private synchronized boolean claimsToTell() {
        if (isToldOfLate()) {
            return false;
        }
        hasTold = true;
        lastTold = nanos.getAsLong();
        return true;
    }

    private synchronized void disclaim() {
        hasTold = false;
    }

    private synchronized boolean isToldOfLate() {
        return hasTold && nanos.getAsLong() - lastTold < WINDOW;
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

    /** Once in a window, where that has been told. */
    private synchronized boolean isOneTooMany() {
        long now = nanos.getAsLong();
        failures[(int) (number++ % MOST)] = now;
        long oldest = failures[(int) (number % MOST)];
        return number >= MOST && now - oldest < WINDOW && claimsToTell();
    }

    /** Whether the heap was full at a failure of the last ten seconds, or has stayed full: the process is not to be called healthy. */
    public synchronized boolean isShort() {
        return isToldOfLate() || (number > 0 && nanos.getAsLong() - failures[(int) ((number - 1) % MOST)] < WINDOW);
    }

    /** The heap of this process. */
    private static final class Heap {
        private final int part = (int)
                Math.min(LARGEST_PART, Math.max(LEAST_PART, Runtime.getRuntime().maxMemory() / PART));

        /** Written and read so that the attempt is made. */
        private volatile byte @Nullable [] attempt;

        boolean isFull() {
            try {
                attempt = new byte[part];
                return attempt == null; // never
            } catch (OutOfMemoryError e) {
                return true;
            } finally {
                attempt = null;
            }
        }
    }
}
