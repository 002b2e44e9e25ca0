package io.penstock.deploy;

import io.penstock.context.ContextInitializer;
import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import io.penstock.request.Guard;
import io.penstock.security.ContextGuard;
import io.penstock.security.Logins;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A deployed web application: its context, and the resources to close when it stops.
 *
 * <p>Thread: the deploying thread; any thread for {@link #context}. Owns: the class loader, the unpacked files.
 */
public final class WebApplication {
    private static final Logger LOG = LoggerFactory.getLogger(WebApplication.class);

    private final String source;
    private final WebContext context;
    private final Logins logins;
    private final List<ContextInitializer> initializers;
    private final Map<String, SourceLocation> preliminary;
    private final List<AutoCloseable> opened;
    private final AtomicBoolean released = new AtomicBoolean();
    private volatile @Nullable Guard guard;

    /**
     * @param source the name that the operator has given, for messages
     * @param logins authenticates its users
     * @param preliminary servlets that are declared without a class; the application's code must complete them when it starts
     * @param opened resources to close, in this order, after the context has stopped
     */
    WebApplication(
            String source,
            WebContext context,
            Logins logins,
            List<ContextInitializer> initializers,
            Map<String, SourceLocation> preliminary,
            List<AutoCloseable> opened) {
        this.source = source;
        this.context = context;
        this.logins = logins;
        this.initializers = List.copyOf(initializers);
        this.preliminary = Map.copyOf(preliminary);
        this.opened = List.copyOf(opened);
    }

    public WebContext context() {
        return context;
    }

    /** The name that the operator has given to the WAR, folder or context. */
    public String source() {
        return source;
    }

    /** The names of threads that the application has left running; empty for a context made in code. Thread: a worker. */
    List<String> remainingThreads() {
        ClassLoader loader = context.getClassLoader();
        if (!(loader instanceof WebAppClassLoader)) {
            return List.of();
        }
        // A remaining thread may have caused the JDK to start further threads since the application stopped.
        new PlatformThreads(loader).close();
        return RemainingThreads.of(loader);
    }

    /**
     * Runs the application's initialisers, listeners, filters and eager servlets.
     *
     * @throws DeploymentException if one of them fails; the started parts are stopped
     */
    public void start() throws DeploymentException {
        initialise();
        begin();
    }

    /**
     * Runs the application's initialisers and context listeners.
     *
     * @throws DeploymentException if one of them fails; the started parts are stopped
     */
    void initialise() throws DeploymentException {
        try {
            context.initialise(initializers);
        } catch (ServletException | RuntimeException | Error e) {
            throw failed(e);
        }
    }

    private DeploymentException failed(Throwable cause) {
        release();
        String cure = cause instanceof InitializerException failed ? failed.cure() : "";
        String line = source + ": does not start: " + FailedStart.reason(cause, context.getClassLoader()) + cure;
        return FailedStart.isForeseen(cause)
                ? new DeploymentException(line, cause)
                : DeploymentException.unforeseen(line, cause);
    }

    /**
     * Starts the filters and eager servlets of an initialised application.
     *
     * @throws DeploymentException if one of them fails; the started parts are stopped
     */
    void begin() throws DeploymentException {
        try {
            context.begin();
        } catch (ServletException | RuntimeException | Error e) {
            throw failed(e);
        }
        for (Map.Entry<String, SourceLocation> servlet : preliminary.entrySet()) {
            ServletHolder holder = context.servlets().find(servlet.getKey());
            if (holder == null || holder.className() == null) {
                stop();
                throw new DeploymentException(
                                servlet.getValue(),
                                "servlet '" + servlet.getKey() + "' has neither <servlet-class> nor <jsp-file>")
                        .within(source);
            }
        }
        try {
            guard = ContextGuard.of(context, logins);
        } catch (IllegalArgumentException e) {
            stop();
            throw new DeploymentException(source + ": " + e.getMessage(), e);
        }
    }

    /** The guard with the application's constraints and logins. @throws IllegalStateException before the application has started */
    public Guard guard() {
        Guard made = guard;
        if (made == null) {
            throw new IllegalStateException(source + " has not been started");
        }
        return made;
    }

    /** Stops the context and releases class loader and files. Idempotent. */
    public void stop() {
        try {
            context.stop();
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("{}: failed while stopping", source, e);
        }
        release();
    }

    /**
     * Whether the servlet's own class calls {@code setReadListener}. Such a servlet reads the body without blocking, so it may get requests
     * as soon as their heads have arrived.
     */
    public boolean readsWithoutBlocking(ServletHolder servlet) {
        String className = servlet.className();
        try {
            return className != null && ReadListenerUse.of(className, context.getClassLoader());
        } catch (IOException e) {
            LOG.warn("{}: the class file of servlet {} cannot be read: {}", source, servlet.name(), e.toString());
            return false;
        }
    }

    private void release() {
        if (!released.getAndSet(true)) {
            closeAll(source, opened);
        }
    }

    /** Closes all resources, even if some fail. */
    static void closeAll(String source, List<AutoCloseable> opened) {
        for (AutoCloseable each : opened) {
            try {
                each.close();
            } catch (Exception | LinkageError e) {
                LOG.warn("{}: not all resources could be released: {}", source, e.toString());
            }
        }
    }
}
