package io.penstock.footprint;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Counts events in the measured classes. {@link ProbeInserter} inserts calls to this class into the measured classes. Each thread has a
 * stack of its running measured methods. A method that ends with an exception does not call {@link #left}. Such a method is removed from
 * the stack when another method catches the exception or returns.
 *
 * <p>Any thread may call the methods of this class.
 */
public final class Probes {
    private static final Object LOCK = new Object();
    private static final ThreadLocal<Deque<Integer>> METHODS = ThreadLocal.withInitial(ArrayDeque::new);

    /** The names of files and of source locations. The number of a file or of a source location is the index in this list. */
    @GuardedBy("LOCK")
    private static final List<String> SITES = new ArrayList<>();

    @GuardedBy("LOCK")
    private static Footprint current = new Footprint();

    @GuardedBy("LOCK")
    private static long lastNanos = System.nanoTime();

    private Probes() {}

    /** Returns a number for the name of a file or of a source location. */
    static int site(String text) {
        synchronized (LOCK) {
            SITES.add(text);
            return SITES.size() - 1;
        }
    }

    /** Returns the counts since the last call of this method. */
    static Footprint take() {
        synchronized (LOCK) {
            Footprint taken = current;
            current = new Footprint();
            return taken;
        }
    }

    /**
     * Waits until no method has been entered for the given time, since the worker and the reactor can still run after the client has
     * received its response.
     */
    static void awaitIdle(Duration time) throws InterruptedException {
        synchronized (LOCK) {
            long left = time.toNanos();
            while (left > 0) {
                LOCK.wait(left / 1_000_000 + 1); // no thread notifies, so the wait ends by its timeout
                left = lastNanos + time.toNanos() - System.nanoTime();
            }
        }
    }

    /** Called at the beginning of a method. */
    public static void entered(int method) {
        Deque<Integer> methods = METHODS.get();
        Integer caller = methods.peek();
        methods.push(method);
        synchronized (LOCK) {
            String file = SITES.get(method);
            current.files().merge(file, 1, Integer::sum);
            if (caller != null && !SITES.get(caller).equals(file)) {
                current.switches().merge(SITES.get(caller) + " -> " + file, 1, Integer::sum);
            }
            lastNanos = System.nanoTime();
        }
    }

    /** Called before a method returns. */
    public static void left(int method) {
        caught(method);
        METHODS.get().poll();
    }

    /** Called when a method has caught an exception. Removes all methods above this method from the stack, since they have ended. */
    public static void caught(int method) {
        Deque<Integer> methods = METHODS.get();
        while (!methods.isEmpty() && methods.peek() != method) {
            methods.pop();
        }
    }

    /** Called after a lock has been taken. */
    public static void locked(int location) {
        synchronized (LOCK) {
            current.locks().merge(SITES.get(location), 1, Integer::sum);
        }
    }

    /** Called after an attempt to take a lock. */
    public static void tried(boolean taken, int location) {
        if (taken) {
            locked(location);
        }
    }

    /** Called before an object is created. */
    public static void made(int location) {
        synchronized (LOCK) {
            current.objects().merge(SITES.get(location), 1, Integer::sum);
        }
    }
}
