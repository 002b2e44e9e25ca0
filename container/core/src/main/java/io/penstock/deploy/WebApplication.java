package io.penstock.deploy;

import io.penstock.context.ContextInitializer;
import io.penstock.context.ServletHolder;
import io.penstock.context.WebContext;
import io.penstock.request.Guard;
import io.penstock.security.ContextGuard;
import io.penstock.security.Logins;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A deployed web application. It has a context, and resources that are closed when the application stops.
 *
 * <p>Thread: the thread that deploys or undeploys the application. Any thread can call {@link #context}. Owns: the class loader and the
 * unpacked files.
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
     * @param source the name of the WAR, folder or context, for messages
     * @param logins authenticates the users of the application
     * @param preliminary the servlets that are declared without a class, with their source locations. The application's code must set their
     *     classes during the start
     * @param opened the resources that are closed after the context has stopped, in the order of their closing
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

    /** The name of the WAR, folder or context, as the operator has given it. */
    public String source() {
        return source;
    }

    /** The names of the application's threads that have not ended. Empty for a context made in code. Thread: a worker. */
    List<String> remainingThreads() {
        ClassLoader loader = context.getClassLoader();
        if (!(loader instanceof WebAppClassLoader)) {
            return List.of();
        }
        // A remaining thread of the application may have caused the JDK to start threads of its own. The application
        // cannot end the threads of the JDK, so the list must not contain them.
        new PlatformThreads(loader).close();
        return RemainingThreads.of(loader);
    }

    /**
     * Starts the application: its initialisers, its listeners, its filters, and the servlets that load on startup.
     *
     * @throws DeploymentException if a step fails. The started parts are stopped in this case
     */
    public void start() throws DeploymentException {
        initialise();
        begin();
    }

    /**
     * Runs the application's initialisers and context listeners.
     *
     * @throws DeploymentException if a step fails. The started parts are stopped in this case
     */
    void initialise() throws DeploymentException {
        try {
            context.initialise(initializers);
        } catch (Throwable e) {
            throw failed(e);
        }
    }

    private DeploymentException failed(Throwable cause) {
        try {
            String cure = cause instanceof InitializerException failed ? failed.cure() : "";
            String line = source + ": does not start: " + FailedStart.reason(cause, context.getClassLoader()) + cure;
            return FailedStart.isForeseen(cause)
                    ? new DeploymentException(line, cause)
                    : DeploymentException.unforeseen(line, cause);
        } finally {
            // After the reason, since the text of an exception may need classes of the application.
            release();
        }
    }

    /**
     * Starts the filters of an initialised application, and the servlets that load on startup.
     *
     * @throws DeploymentException if a step fails. The started parts are stopped in this case
     */
    void begin() throws DeploymentException {
        try {
            context.begin();
        } catch (Throwable e) {
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

    /**
     * Checks, without a start, that the server's users can log in as the application declares.
     *
     * @throws DeploymentException if no user can
     */
    public void requireLogin() throws DeploymentException {
        try {
            ContextGuard.requirePossible(context, logins);
        } catch (IllegalArgumentException e) {
            throw new DeploymentException(source + ": " + e.getMessage(), e);
        }
    }

    /**
     * The {@link Guard} that checks the application's constraints and logins.
     *
     * @throws IllegalStateException if the application has not been started
     */
    public Guard guard() {
        Guard made = guard;
        if (made == null) {
            throw new IllegalStateException(source + " has not been started");
        }
        return made;
    }

    /** Stops the context, and releases the class loader and the files. A second call has no effect. */
    public void stop() {
        try {
            context.stop();
        } catch (RuntimeException | Error e) {
            LOG.warn("{}: failed while stopping", source, e);
        }
        release();
    }

    /**
     * Whether the servlet's own class calls {@code setReadListener}. A servlet with this call reads the body without blocking. So the
     * server can call the servlet as soon as the head of a request has arrived.
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

    /** Closes all resources, even if the closing of some resources fails. */
    static void closeAll(String source, List<AutoCloseable> opened) {
        for (AutoCloseable each : opened) {
            try {
                each.close();
            } catch (Exception | Error e) {
                LOG.warn("{}: not all resources could be released: {}", source, e.toString());
            }
        }
    }
}
