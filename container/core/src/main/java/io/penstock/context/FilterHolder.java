package io.penstock.context;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.lang.reflect.InvocationTargetException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One declared filter: its registration, and its instance while the context runs.
 *
 * <p>Thread: any.
 *
 * <p>Owns: the instance. The instance is initialised when the context starts, and destroyed when the context stops.
 */
public final class FilterHolder extends Holder {
    private static final Logger LOG = LoggerFactory.getLogger(FilterHolder.class);

    private final ServletContext context;
    private final ObjectFactory objects;
    private volatile @Nullable Source<Filter> source;
    private volatile boolean asyncSupported;
    private volatile @Nullable Filter filter;

    @GuardedBy("this")
    private Life life = Life.NEW;

    private enum Life {
        NEW,
        INITIALISING,
        AVAILABLE,
        FAILED,
        DESTROYED;

        Set<Life> next() {
            return switch (this) {
                case NEW -> EnumSet.of(INITIALISING, DESTROYED);
                case INITIALISING -> EnumSet.of(AVAILABLE, FAILED);
                case AVAILABLE, FAILED -> EnumSet.of(DESTROYED);
                case DESTROYED -> EnumSet.of(DESTROYED);
            };
        }
    }

    FilterHolder(String name, RegistrationWindow window, ServletContext context, ObjectFactory objects) {
        super(name, window);
        this.context = context;
        this.objects = objects;
    }

    /** The filter's class; null while the registration has only a name. */
    @Override
    public @Nullable String className() {
        Source<Filter> from = source;
        return from == null ? null : from.className();
    }

    public boolean asyncSupported() {
        return asyncSupported;
    }

    public FilterHolder asyncSupported(boolean supported) {
        requireOpen();
        asyncSupported = supported;
        return this;
    }

    /** @throws IllegalStateException while the context does not run */
    public Filter filter() {
        Filter initialised = filter;
        if (initialised == null) {
            throw new IllegalStateException(this + " has not been initialised, or has been destroyed");
        }
        return initialised;
    }

    boolean isComplete() {
        return source != null;
    }

    @Nullable
    Source<Filter> source() {
        return source;
    }

    /** Completes a registration that has only a name. */
    void source(Source<Filter> from) {
        source = from;
    }

    synchronized void initialise() throws ServletException {
        move(Life.INITIALISING);
        Life outcome = Life.FAILED;
        Filter made = null;
        try {
            made = make();
            made.init(new HolderConfig(name(), context, initParameters()));
            filter = made;
            outcome = Life.AVAILABLE;
        } finally {
            if (outcome == Life.FAILED && made != null) {
                objects.release(made);
            }
            move(outcome);
        }
    }

    private Filter make() throws ServletException {
        Source<Filter> from = source;
        if (from == null) {
            throw new ServletException(this + " has no class");
        }
        try {
            return from.instance(context.getClassLoader(), objects);
        } catch (InvocationTargetException e) {
            throw new ServletException(this + " cannot be made: its constructor failed", e.getCause());
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new ServletException(this + " cannot be made: " + e, e);
        }
    }

    /** Destroys the filter. Idempotent. */
    synchronized void destroy() {
        move(Life.DESTROYED);
        Filter ended = filter;
        filter = null;
        if (ended == null) {
            return;
        }
        try {
            ended.destroy();
        } catch (Throwable e) {
            LOG.error("{} failed in destroy()", this, e);
        }
        objects.release(ended);
    }

    @GuardedBy("this")
    private void move(Life next) {
        if (!life.next().contains(next)) {
            throw new IllegalStateException(this + " cannot become " + next + " from " + life);
        }
        life = next;
    }

    @Override
    public String toString() {
        return "filter " + name();
    }
}
