package io.penstock.context;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletSecurityElement;
import jakarta.servlet.UnavailableException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One declared servlet, with its registration and its instance. Thread: any. */
public final class ServletHolder extends Holder {

    /** The state of the servlet in its life cycle (Servlet 6.1, section 2.3). */
    public enum Life {
        NEW,
        INITIALISING,
        AVAILABLE,
        UNAVAILABLE_UNTIL,
        FAILED,
        DESTROYED
    }

    private final ServletLife life;
    private final RunAs roles;

    @GuardedBy("this")
    private final Map<String, String> roleRefs = new LinkedHashMap<>();

    private volatile @Nullable Source<Servlet> source;
    private volatile List<String> mappings = List.of();
    private volatile int loadOnStartup = -1;
    private volatile boolean asyncSupported;
    private volatile boolean enabled = true;
    private volatile @Nullable MultipartConfigElement multipart;
    private volatile @Nullable String runAs;
    private volatile @Nullable ServletSecurityElement security;

    /** @param roles runs the servlet's methods in the role that its {@code run-as} names */
    ServletHolder(
            String name,
            RegistrationWindow window,
            ServletContext context,
            ObjectFactory objects,
            InstantSource clock,
            RunAs roles) {
        super(name, window);
        this.roles = roles;
        this.life = new ServletLife(this, context, objects, clock);
    }

    /** The servlet's class; null while the registration has only a name. */
    @Override
    public @Nullable String className() {
        Source<Servlet> from = source;
        return from == null ? null : from.className();
    }

    public Life life() {
        return life.state();
    }

    /** The URL patterns that have been declared so far, in order. */
    public List<String> mappings() {
        return mappings;
    }

    public int loadOnStartup() {
        return loadOnStartup;
    }

    /** @param order the order of loading; if negative, the first request initialises the servlet */
    public ServletHolder loadOnStartup(int order) {
        requireOpen();
        loadOnStartup = order;
        return this;
    }

    public boolean asyncSupported() {
        return asyncSupported;
    }

    public ServletHolder asyncSupported(boolean supported) {
        requireOpen();
        asyncSupported = supported;
        return this;
    }

    public @Nullable MultipartConfigElement multipart() {
        return multipart;
    }

    public ServletHolder multipart(@Nullable MultipartConfigElement config) {
        requireOpen();
        multipart = config;
        return this;
    }

    public @Nullable String runAs() {
        return runAs;
    }

    public ServletHolder runAs(@Nullable String role) {
        requireOpen();
        runAs = role;
        return this;
    }

    public @Nullable ServletSecurityElement security() {
        return security;
    }

    public ServletHolder security(@Nullable ServletSecurityElement element) {
        requireOpen();
        security = element;
        return this;
    }

    /** The {@code security-role-ref} elements. A key is a role name in the servlet's code; the value is a role of the context. */
    public synchronized Map<String, String> roleRefs() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(roleRefs));
    }

    public synchronized ServletHolder roleRef(String used, String role) {
        requireOpen();
        roleRefs.put(used, role);
        return this;
    }

    /** False if the servlet was declared with {@code <enabled>false</enabled>}. A disabled servlet has no mapping and never runs. */
    public boolean enabled() {
        return enabled;
    }

    public ServletHolder enabled(boolean enable) {
        requireOpen();
        enabled = enable;
        return this;
    }

    /**
     * Calls {@code service} of the servlet. The first call initialises the servlet. The servlet is not destroyed until all calls have
     * returned, or a timeout has passed.
     *
     * @throws UnavailableException if the servlet is unavailable permanently (404) or for a time (503)
     * @throws ServletException if {@code init} or {@code service} throws it, or if the class cannot be loaded
     */
    public void service(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        Servlet servlet = life.enter();
        try {
            if (runAs == null) {
                servlet.service(request, response);
            } else {
                inRole(() -> servlet.service(request, response));
            }
        } catch (UnavailableException e) {
            // The servlet to which this servlet has dispatched the request can be unavailable instead.
            if (!(e instanceof TargetUnavailableException)) {
                life.unavailable(e);
            }
            throw e;
        } finally {
            life.leave();
        }
    }

    /** Runs a method of the servlet in its {@code run-as} role, if it has one. */
    void inRole(RunAs.Call call) throws ServletException, IOException {
        String role = runAs;
        if (role == null) {
            call.run();
        } else {
            roles.run(role, call);
        }
    }

    boolean isComplete() {
        return source != null;
    }

    @Nullable
    Source<Servlet> source() {
        return source;
    }

    /** Completes a registration that has only a name. */
    void source(Source<Servlet> from) {
        source = from;
    }

    /**
     * Sets the URL patterns. Only {@link Servlets} may call this method, because that class ensures that each pattern belongs to one
     * servlet.
     */
    void mappings(List<String> patterns) {
        mappings = List.copyOf(patterns);
    }

    /** The life cycle of the instance. */
    ServletLife lifeCycle() {
        return life;
    }

    @Override
    public String toString() {
        return "servlet " + name();
    }
}
