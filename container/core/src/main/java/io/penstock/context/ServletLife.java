package io.penstock.context;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.context.ServletHolder.Life;
import io.penstock.time.Saturated;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.UnavailableException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life cycle of the instance of one servlet (Servlet 6.1, section 2.3).
 *
 * <p>Thread: any. A call of an available servlet takes no lock. State changes need this object's monitor.
 *
 * <p>Owns: the instance. The instance is destroyed exactly once: after its last call, or after the timeout of {@link #end}.
 *
 * <pre>
 * NEW ──► INITIALISING ──► AVAILABLE ◄──► UNAVAILABLE_UNTIL ──► INITIALISING
 *  ▲            │ threw        │ permanently
 *  └────────────┴─► FAILED ◄───┘                any ──► DESTROYED
 * </pre>
 */
final class ServletLife {
    private static final Logger LOG = LoggerFactory.getLogger(ServletLife.class);
    private static final Map<Life, Set<Life>> MOVES = new EnumMap<>(Map.of(
            Life.NEW, EnumSet.of(Life.INITIALISING, Life.DESTROYED),
            Life.INITIALISING,
                    EnumSet.of(Life.AVAILABLE, Life.NEW, Life.UNAVAILABLE_UNTIL, Life.FAILED, Life.DESTROYED),
            Life.AVAILABLE, EnumSet.of(Life.UNAVAILABLE_UNTIL, Life.FAILED, Life.DESTROYED),
            Life.UNAVAILABLE_UNTIL,
                    EnumSet.of(Life.AVAILABLE, Life.INITIALISING, Life.UNAVAILABLE_UNTIL, Life.FAILED, Life.DESTROYED),
            Life.FAILED, EnumSet.of(Life.DESTROYED),
            Life.DESTROYED, EnumSet.noneOf(Life.class)));

    private final ServletHolder holder;
    private final ServletContext context;
    private final ObjectFactory objects;
    private final InstantSource clock;
    private final AtomicInteger running = new AtomicInteger();

    /** The instance while it can be called; otherwise null. Calls read this field without the lock. */
    private volatile @Nullable Servlet available;

    /** The instance that gets no new calls and has not been destroyed yet; otherwise null. */
    @GuardedBy("this")
    private @Nullable Servlet retired;

    /** The initialised instance while the servlet is unavailable for a time; otherwise null. */
    @GuardedBy("this")
    private @Nullable Servlet suspended;

    @GuardedBy("this")
    private Life state = Life.NEW;

    @GuardedBy("this")
    private long unavailableUntil;

    ServletLife(ServletHolder holder, ServletContext context, ObjectFactory objects, InstantSource clock) {
        this.holder = holder;
        this.context = context;
        this.objects = objects;
        this.clock = clock;
    }

    synchronized Life state() {
        return state;
    }

    /**
     * Returns the instance, which is created and initialised if necessary. After each successful call, the caller must call {@link #leave}
     * once.
     */
    Servlet enter() throws ServletException {
        running.incrementAndGet();
        // The field is read after the increment. So if another thread calls retire() after this read, that thread finds
        // this call in the counter.
        Servlet servlet = available;
        if (servlet != null) {
            return servlet;
        }
        try {
            servlet = makeAvailable();
        } finally {
            if (servlet == null) {
                leave();
            }
        }
        return servlet;
    }

    void leave() {
        if (running.decrementAndGet() == 0 && available == null) {
            destroyRetired();
        }
    }

    /** Creates and initialises the instance when the context starts. */
    void load() throws ServletException {
        enter();
        leave();
    }

    private synchronized Servlet makeAvailable() throws ServletException {
        switch (state) {
            case NEW -> initialise();
            case UNAVAILABLE_UNTIL -> resume();
            case INITIALISING -> throw new ServletException(holder + " is called by its own init()");
            case AVAILABLE -> LOG.trace("{} was initialised by another thread", holder);
            case FAILED, DESTROYED -> throw new UnavailableException(holder + " is not available");
        }
        Servlet servlet = available;
        if (servlet == null) {
            throw new UnavailableException(holder + " is not available");
        }
        return servlet;
    }

    @GuardedBy("this")
    private void resume() throws ServletException {
        long left = unavailableUntil - clock.millis();
        if (left > 0) {
            throw new UnavailableException(
                    holder + " is unavailable for a while",
                    Saturated.count(TimeUnit.MILLISECONDS.toSeconds(left + 999)));
        }
        Servlet servlet = suspended;
        if (servlet == null) {
            initialise();
        } else {
            suspended = null;
            move(Life.AVAILABLE);
            available = servlet;
        }
    }

    @GuardedBy("this")
    private void initialise() throws ServletException {
        move(Life.INITIALISING);
        Life next = Life.NEW;
        Servlet servlet = null;
        try {
            servlet = make();
            Servlet made = servlet;
            inRole(() -> made.init(new HolderConfig(holder.name(), context, holder.initParameters())));
            next = Life.AVAILABLE;
            if (state == Life.INITIALISING) {
                move(next);
                available = servlet;
            } else {
                // The init method of the servlet has stopped the context, so the new instance must not be called.
                retired = servlet;
            }
        } catch (UnavailableException e) {
            next = noteUnavailable(e);
            throw e;
        } finally {
            if (next != Life.AVAILABLE && servlet != null) {
                release(servlet);
            }
            if (next == Life.NEW && state == Life.INITIALISING) {
                // This caller gets the exception of the init method. The next caller initialises a new instance.
                move(Life.NEW);
            }
        }
    }

    private void inRole(RunAs.Call call) throws ServletException {
        try {
            holder.inRole(call);
        } catch (IOException e) {
            throw new ServletException(holder + " cannot be initialised", e);
        }
    }

    private Servlet make() throws ServletException {
        Source<Servlet> source = holder.source();
        if (source == null) {
            throw new ServletException(holder + " has no class");
        }
        AtomicReference<@Nullable Servlet> made = new AtomicReference<>();
        // Post-construct methods also run in the run-as role.
        inRole(() -> made.set(instance(source)));
        return Objects.requireNonNull(made.get());
    }

    private Servlet instance(Source<Servlet> source) throws ServletException {
        try {
            return source.instance(context.getClassLoader(), objects);
        } catch (InvocationTargetException e) {
            throw new ServletException(holder + " cannot be made: its constructor failed", e.getCause());
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new ServletException(holder + " cannot be made: " + e, e);
        }
    }

    private void release(Servlet servlet) {
        try {
            holder.inRole(() -> objects.release(servlet));
        } catch (ServletException | IOException e) {
            LOG.error("{} failed when it was released", holder, e);
        }
    }

    /** Called when the servlet has thrown this exception. */
    synchronized void unavailable(UnavailableException e) {
        Servlet servlet = available;
        if (servlet == null) {
            // The instance is already unavailable. Another call has thrown an UnavailableException, or the context is
            // stopping.
            return;
        }
        available = null;
        if (noteUnavailable(e) == Life.FAILED) {
            retired = servlet;
        } else {
            suspended = servlet;
        }
    }

    @GuardedBy("this")
    private Life noteUnavailable(UnavailableException e) {
        if (e.isPermanent()) {
            move(Life.FAILED);
        } else {
            move(Life.UNAVAILABLE_UNTIL);
            unavailableUntil = clock.millis() + TimeUnit.SECONDS.toMillis(Math.max(1, e.getUnavailableSeconds()));
        }
        return state;
    }

    /** Admits no more calls. The instance is destroyed when the last running call returns, or by {@link #end}. */
    synchronized void retire() {
        if (state == Life.DESTROYED) {
            return;
        }
        Servlet servlet = available != null ? available : suspended;
        available = null;
        suspended = null;
        if (servlet != null) {
            retired = servlet;
        }
        move(Life.DESTROYED);
    }

    /**
     * Waits for running calls, at most for {@code timeout}. After that, destroys the instance. The caller must have called {@link #retire}
     * before.
     */
    void end(Duration timeout) {
        long deadline = System.nanoTime() + Saturated.nanos(timeout);
        boolean interrupted = false;
        synchronized (this) {
            long left = Saturated.nanos(timeout);
            while (running.get() > 0 && left > 0 && !interrupted) {
                try {
                    // The last running call wakes this thread.
                    TimeUnit.NANOSECONDS.timedWait(this, left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                left = deadline - System.nanoTime();
            }
        }
        if (running.get() > 0) {
            LOG.warn("{} is destroyed, although {} of its calls still run", holder, running.get());
        }
        destroyRetired();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void destroyRetired() {
        Servlet servlet;
        synchronized (this) {
            servlet = retired;
            retired = null;
            // Wakes a thread that waits in end().
            notifyAll();
        }
        if (servlet != null) {
            try {
                holder.inRole(servlet::destroy);
            } catch (Throwable e) {
                LOG.error("{} failed in destroy()", holder, e);
            }
            release(servlet);
        }
    }

    @GuardedBy("this")
    private void move(Life next) {
        if (!MOVES.getOrDefault(state, Set.of()).contains(next)) {
            throw new IllegalStateException(holder + " cannot become " + next + " from " + state);
        }
        state = next;
    }
}
