package io.penstock.context;

import io.penstock.address.PathText;
import io.penstock.http.RequestPath;
import io.penstock.http.Violation;
import io.penstock.limits.Compression;
import io.penstock.limits.Compression.CompressionMode;
import io.penstock.limits.OperatorFile;
import io.penstock.mapping.Match;
import io.penstock.mapping.MatchKind;
import io.penstock.mapping.ServletMappings;
import io.penstock.part.WebSocketSessions;
import io.penstock.session.SessionManager;
import io.penstock.time.RateLimitedLog;
import io.penstock.time.Saturated;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.descriptor.JspConfigDescriptor;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Enumeration;
import java.util.EventListener;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One web application as its servlets see it.
 *
 * <p>Thread: the deploying thread calls {@link #initialise}, {@link #begin} and {@link #stop}. Any thread may call the other methods.
 *
 * <p>Owns: servlets, filters, listeners, sessions, resources, the temporary directory. These objects use the context only as a {@link
 * ServletContext}.
 *
 * <pre>
 * NEW ► INITIALIZERS ► LISTENERS ► INITIALISED ► INSTANCES ► AVAILABLE ► STOPPING ► STOPPED
 *              └───────────┴──────────────┼────────────┴► FAILED              ▲
 *                                         └───────────────────────────────────┘
 * </pre>
 */
public final class WebContext implements WebSocketSessions.Context {
    /** The virtual server name of contexts that have no host. */
    private static final String DEFAULT_HOST = "penstock";

    private static final Logger LOG = LoggerFactory.getLogger(WebContext.class);

    /** The state of the context. Servlets, filters and listeners can be registered in the states NEW, INITIALIZERS and LISTENERS. */
    public enum Life {
        NEW,
        INITIALIZERS,
        LISTENERS,
        INITIALISED,
        INSTANCES,
        AVAILABLE,
        STOPPING,
        STOPPED,
        FAILED;

        private Set<Life> next() {
            return switch (this) {
                case NEW -> EnumSet.of(INITIALIZERS, STOPPED);
                case INITIALIZERS -> EnumSet.of(LISTENERS, FAILED);
                case LISTENERS -> EnumSet.of(INITIALISED, FAILED);
                case INITIALISED -> EnumSet.of(INSTANCES, STOPPING);
                case INSTANCES -> EnumSet.of(AVAILABLE, FAILED);
                case AVAILABLE -> EnumSet.of(STOPPING);
                case STOPPING -> EnumSet.of(STOPPED);
                case STOPPED, FAILED -> EnumSet.noneOf(Life.class);
            };
        }
    }

    private final RateLimitedLog unopened = new RateLimitedLog();
    private final RateLimitedLog unansweredTimeouts = new RateLimitedLog();
    private final ContextSettings settings;
    private final ClassLoader classLoader;
    private final String encodedPath;
    private final ContextServices services;
    private final RegistrationWindow window = new RegistrationWindow();
    private final Servlets servlets;
    private final Filters filters;
    private final Listeners listeners;
    private final ContextAttributes attributes;
    private final InitParameters parameters = new InitParameters();
    private final Roles roles;
    private final Registrations registrations;
    private final SessionCookie cookie;
    private final SessionManager sessions;
    private final SessionTracking tracking;
    private final InFlight inFlight = new InFlight();
    private final FailedResponses failures = new FailedResponses();

    /** Null if responses are not compressed. */
    private final @Nullable Compression compression;

    private volatile Life life = Life.NEW;
    private volatile @Nullable String requestEncoding;
    private volatile @Nullable String responseEncoding;
    private final Function<Locale, @Nullable String> encodingsByLocale = this::encodingFor;
    private volatile @Nullable ServletMappings<ServletHolder> mappings;
    private volatile @Nullable FilterMappings filterMappings;
    private volatile @Nullable TemporaryDirectory temporary;

    public WebContext(ContextSettings settings, ContextServices services) {
        this.settings = settings;
        classLoader = settings.classLoader();
        encodedPath = settings.location().encodedPath();
        this.services = services;
        servlets = new Servlets(window, this, services.objects(), services.clock());
        filters = new Filters(name(), window, this, services.objects());
        listeners = new Listeners(window, this, services.objects());
        attributes = new ContextAttributes(listeners);
        parameters.set(settings.initParameters());
        roles = new Roles(settings.security().roles());
        registrations = new Registrations(settings, window, servlets, filters, listeners, roles, services.objects());
        cookie = new SessionCookie(window, encodedPath, settings.sessions());
        sessions = new SessionManager(
                this,
                services.sessions(),
                services.sessionLimit(),
                new SessionListeners(listeners),
                services.clock(),
                job -> services.callbacks().execute(() -> inLoader(job)));
        sessions.defaultMaxInactiveInterval(seconds(settings.sessions().timeoutMinutes()));
        sessions.allow(settings.sessions().values());
        tracking = new SessionTracking(window, settings.sessions());
        compression = settings.compression().mode() == CompressionMode.ON ? settings.compression() : null;
        requestEncoding = settings.encodings().request();
        responseEncoding = settings.encodings().response();
    }

    public ContextSettings settings() {
        return settings;
    }

    public Life life() {
        return life;
    }

    /** The location of the context on the server, for operators: {@code /} for the root of the default host. */
    @Override
    public String name() {
        return settings.location().name();
    }

    public Servlets servlets() {
        return servlets;
    }

    public Filters filters() {
        return filters;
    }

    public Listeners listeners() {
        return listeners;
    }

    public SessionManager sessions() {
        return sessions;
    }

    /** The suffix that is appended, after a dot, to the session ids that clients get: the name of this server. Empty for no suffix. */
    public String sessionRoute() {
        return services.sessionRoute();
    }

    @Override
    public WebSocketSessions webSockets() {
        return services.webSockets();
    }

    /** How responses are compressed; null if responses are not compressed. */
    public @Nullable Compression compression() {
        return compression;
    }

    /** Counts the requests and upgraded connections that this context serves at the moment. */
    public InFlight inFlight() {
        return inFlight;
    }

    /** Counts the responses of this context with a status of 500 or above. */
    public FailedResponses failures() {
        return failures;
    }

    /** Limits the lines about asynchronous requests that have timed out, without an answer of the application. */
    public RateLimitedLog unansweredTimeouts() {
        return unansweredTimeouts;
    }

    /**
     * The URL patterns of the servlets.
     *
     * @throws IllegalStateException before the context's listeners have been called
     */
    public ServletMappings<ServletHolder> mappings() {
        return requireStarted(mappings);
    }

    /** @throws IllegalStateException before the context's listeners have been called */
    public FilterMappings filterMappings() {
        return requireStarted(filterMappings);
    }

    /**
     * Whether the application has mapped a servlet to the path, by a pattern other than {@code /}. The container's own servlets do not
     * count. For example, {@code /a.jsp} is not mapped if only the container's JSP servlet matches the path.
     *
     * @throws IllegalStateException before the context's listeners have been called
     */
    public boolean isMapped(String path) {
        Match<ServletHolder> match = mappings().match(path);
        return match != null && match.kind() != MatchKind.DEFAULT && !servlets.isImplicit(match.target());
    }

    private <T> T requireStarted(@Nullable T table) {
        if (table == null) {
            throw new IllegalStateException("context " + name() + " has not been started");
        }
        return table;
    }

    /** The roles that the descriptor and the application's code declare. */
    public Set<String> roles() {
        return roles.names();
    }

    public void start() throws ServletException {
        start(List.of());
    }

    /** Calls {@link #initialise}, then {@link #begin}. */
    public void start(List<ContextInitializer> initializers) throws ServletException {
        initialise(initializers);
        begin();
    }

    /**
     * Runs the initializers, calls the context listeners, and closes registration. If a step throws an exception, the parts that have
     * started are stopped, and the context is FAILED.
     */
    public void initialise(List<ContextInitializer> initializers) throws ServletException {
        move(Life.INITIALIZERS);
        step(Life.INITIALISED, () -> {
            openTemporaryDirectory();
            for (ContextInitializer initializer : initializers) {
                initializer.onStartup(this);
            }
            move(Life.LISTENERS);
            window.closeForContextListeners();
            listeners.start();
            closeRegistration();
        });
    }

    /**
     * Initialises filters, and servlets with {@code load-on-startup}. If a step throws an exception, the parts that have started are
     * stopped, and the context is FAILED.
     */
    public void begin() throws ServletException {
        move(Life.INSTANCES);
        step(Life.AVAILABLE, () -> {
            filters.initialise();
            servlets.loadOnStartup(name(), settings.eagerServlets());
        });
    }

    /** A step of the start. */
    @FunctionalInterface
    private interface Step {
        void run() throws ServletException;
    }

    private void step(Life next, Step step) throws ServletException {
        Thread thread = Thread.currentThread();
        ClassLoader outer = thread.getContextClassLoader();
        thread.setContextClassLoader(classLoader);
        try {
            step.run();
            move(next);
        } finally {
            if (life != next) {
                move(Life.FAILED);
                window.close();
                end();
            }
            thread.setContextClassLoader(outer);
        }
    }

    /**
     * Destroys servlets and filters, stores or invalidates the sessions, calls the context listeners, and closes the resources. Idempotent.
     */
    public void stop() {
        synchronized (window) {
            if (life == Life.NEW) {
                move(Life.STOPPED);
            }
            if (life != Life.AVAILABLE && life != Life.INITIALISED) {
                return;
            }
            move(Life.STOPPING);
        }
        inLoader(this::end);
        move(Life.STOPPED);
    }

    private void openTemporaryDirectory() throws ServletException {
        try {
            TemporaryDirectory directory = TemporaryDirectory.open(settings.temporary());
            temporary = directory;
            attributes.set(TEMPDIR, directory.path().toFile());
        } catch (IOException e) {
            throw new ServletException(
                    "context " + name() + " has no temporary directory: " + OperatorFile.explained(e), e);
        }
        List<String> libs = settings.orderedLibs();
        if (libs != null) {
            attributes.set(ORDERED_LIBS, libs);
        }
    }

    private void closeRegistration() {
        window.close();
        registrations.close();
        mappings = servlets.table(PagePatterns.of(settings.jsp()));
        filterMappings = filters.table();
    }

    private void end() {
        servlets.destroy();
        filters.destroy();
        sessions.stop();
        listeners.stop();
        close(settings.resources()::close);
        TemporaryDirectory directory = temporary;
        if (directory != null) {
            close(directory::close);
        }
    }

    private void close(Closeable files) {
        try {
            files.close();
        } catch (IOException e) {
            LOG.warn("Files of {} cannot be closed or deleted: {}", name(), e.toString());
        }
    }

    private void move(Life next) {
        synchronized (window) {
            if (!life.next().contains(next)) {
                throw new IllegalStateException("context " + name() + " cannot become " + next + " from " + life);
            }
            life = next;
        }
    }

    /** Runs application code with the application's class loader as the thread's context class loader. */
    public void inLoader(Runnable job) {
        Thread thread = Thread.currentThread();
        ClassLoader outer = thread.getContextClassLoader();
        thread.setContextClassLoader(classLoader);
        try {
            job.run();
        } finally {
            thread.setContextClassLoader(outer);
        }
    }

    /** Creates and releases objects of the application's classes. */
    public ObjectFactory objects() {
        return services.objects();
    }

    @Override
    public String getContextPath() {
        return encodedPath;
    }

    /**
     * The part of an undecoded path that names this context, as the client has sent it: applications expect the path to begin with it. If
     * the client has sent more than other escapes, such as dot segments, the result is the path of this context.
     */
    public String contextPathIn(String uri) {
        if (uri.startsWith(encodedPath)) {
            return encodedPath;
        }
        int end = 0;
        for (int i = 0; i < encodedPath.length() && end >= 0; i++) {
            end = encodedPath.charAt(i) == '/' ? uri.indexOf('/', end + 1) : end;
        }
        String sent = end < 0 ? uri : uri.substring(0, end);
        return settings.contextPath().equals(PathText.decode(sent)) ? sent : encodedPath;
    }

    @Override
    public @Nullable ServletContext getContext(@Nullable String uripath) {
        String path = uripath == null ? null : pathOnServer(uripath);
        if (path == null) {
            return null;
        }
        ServletContext found = services.contexts().find(this, path);
        return found == null && settings.owns(path) && life != Life.AVAILABLE ? this : found;
    }

    /** Parses a path in the same way as the path of a request. Returns null if the path is invalid. */
    private static @Nullable String pathOnServer(String uripath) {
        try {
            return uripath.startsWith("/") ? RequestPath.ofApplication(uripath).decoded() : null;
        } catch (Violation e) {
            return null;
        }
    }

    @Override
    public int getMajorVersion() {
        return ContextSettings.Version.CURRENT.major();
    }

    @Override
    public int getMinorVersion() {
        return ContextSettings.Version.CURRENT.minor();
    }

    @Override
    public int getEffectiveMajorVersion() {
        return settings.version().major();
    }

    @Override
    public int getEffectiveMinorVersion() {
        return settings.version().minor();
    }

    @Override
    public @Nullable String getMimeType(@Nullable String file) {
        return file == null ? null : settings.mimeTypes().forFile(file);
    }

    @Override
    public @Nullable Set<String> getResourcePaths(@Nullable String path) {
        String canonical = ResourcePath.canonical(path);
        return canonical == null ? null : settings.resources().list(canonical);
    }

    @Override
    public @Nullable URL getResource(@Nullable String path) throws MalformedURLException {
        if (path == null || !path.startsWith("/")) {
            throw new MalformedURLException("the path of a resource starts with /: " + path);
        }
        Resource resource = resource(path);
        return resource == null ? null : resource.url();
    }

    @Override
    public @Nullable InputStream getResourceAsStream(@Nullable String path) {
        Resource resource = resource(path);
        if (resource == null || resource.kind() == Resource.Kind.DIRECTORY) {
            return null;
        }
        try {
            return resource.open();
        } catch (IOException e) {
            unopened.warn(LOG, "Resources of " + name() + " cannot be opened", OperatorFile.explained(e), e);
            return null;
        }
    }

    private @Nullable Resource resource(@Nullable String path) {
        String canonical = ResourcePath.canonical(path);
        return canonical == null ? null : settings.resources().find(canonical);
    }

    @Override
    public @Nullable String getRealPath(@Nullable String path) {
        if (path == null) {
            return null;
        }
        String canonical = ResourcePath.canonical(path.startsWith("/") ? path : "/" + path);
        Path real = canonical == null ? null : settings.resources().realPath(canonical);
        return real == null ? null : real.toString();
    }

    @Override
    public @Nullable RequestDispatcher getRequestDispatcher(@Nullable String path) {
        if (path == null || !path.startsWith("/") && !path.isEmpty()) {
            return null;
        }
        return services.dispatchers().forPath(this, path);
    }

    @Override
    public @Nullable RequestDispatcher getNamedDispatcher(@Nullable String name) {
        ServletHolder servlet = name == null ? null : servlets.find(name);
        return servlet == null || !servlet.enabled()
                ? null
                : services.dispatchers().forName(this, servlet);
    }

    @Override
    public void log(@Nullable String message) {
        LOG.info("{}: {}", name(), message);
    }

    @Override
    public void log(@Nullable String message, @Nullable Throwable thrown) {
        LOG.error("{}: {}", name(), message, thrown);
    }

    @Override
    public String getServerInfo() {
        return ServerInfo.TEXT;
    }

    @Override
    public @Nullable String getInitParameter(String name) {
        return parameters.get(Objects.requireNonNull(name, "name"));
    }

    @Override
    public Enumeration<String> getInitParameterNames() {
        return Collections.enumeration(parameters.values().keySet());
    }

    @Override
    public boolean setInitParameter(String name, @Nullable String value) {
        Objects.requireNonNull(name, "name");
        window.requireOpen();
        return value != null && parameters.set(name, value);
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return attributes.get(Objects.requireNonNull(name, "name"));
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        return attributes.names();
    }

    @Override
    public void setAttribute(String name, @Nullable Object object) {
        Objects.requireNonNull(name, "name");
        if (object == null) {
            attributes.remove(name);
        } else {
            attributes.set(name, object);
        }
    }

    @Override
    public void removeAttribute(@Nullable String name) {
        if (name != null) {
            attributes.remove(name);
        }
    }

    @Override
    public @Nullable String getServletContextName() {
        return settings.displayName();
    }

    @Override
    public ServletRegistration.@Nullable Dynamic addServlet(@Nullable String name, @Nullable String className) {
        return registrations.addServlet(name, className);
    }

    @Override
    public ServletRegistration.@Nullable Dynamic addServlet(@Nullable String name, @Nullable Servlet servlet) {
        return registrations.addServlet(name, servlet);
    }

    @Override
    public ServletRegistration.@Nullable Dynamic addServlet(
            @Nullable String name, @Nullable Class<? extends Servlet> servletClass) {
        return registrations.addServlet(name, servletClass);
    }

    @Override
    public ServletRegistration.@Nullable Dynamic addJspFile(@Nullable String name, @Nullable String jspFile) {
        return registrations.addJspFile(name, jspFile);
    }

    @Override
    public <T extends Servlet> T createServlet(Class<T> type) throws ServletException {
        return registrations.createServlet(type);
    }

    @Override
    public @Nullable ServletRegistration getServletRegistration(@Nullable String name) {
        return registrations.servlet(name);
    }

    @Override
    public Map<String, ? extends ServletRegistration> getServletRegistrations() {
        return registrations.servlets();
    }

    @Override
    public FilterRegistration.@Nullable Dynamic addFilter(@Nullable String name, @Nullable String className) {
        return registrations.addFilter(name, className);
    }

    @Override
    public FilterRegistration.@Nullable Dynamic addFilter(@Nullable String name, @Nullable Filter filter) {
        return registrations.addFilter(name, filter);
    }

    @Override
    public FilterRegistration.@Nullable Dynamic addFilter(
            @Nullable String name, @Nullable Class<? extends Filter> filterClass) {
        return registrations.addFilter(name, filterClass);
    }

    @Override
    public <T extends Filter> T createFilter(Class<T> type) throws ServletException {
        return registrations.create(type);
    }

    @Override
    public @Nullable FilterRegistration getFilterRegistration(@Nullable String name) {
        return registrations.filter(name);
    }

    @Override
    public Map<String, ? extends FilterRegistration> getFilterRegistrations() {
        return registrations.filters();
    }

    @Override
    public SessionCookie getSessionCookieConfig() {
        return cookie;
    }

    @Override
    public void setSessionTrackingModes(@Nullable Set<SessionTrackingMode> modes) {
        tracking.set(modes);
    }

    @Override
    public Set<SessionTrackingMode> getDefaultSessionTrackingModes() {
        return EnumSet.copyOf(SessionTracking.DEFAULT);
    }

    /** The returned set is unmodifiable. No copy is made, because every request calls this method. */
    @Override
    public Set<SessionTrackingMode> getEffectiveSessionTrackingModes() {
        return tracking.effective();
    }

    @Override
    public void addListener(@Nullable String className) {
        registrations.addListener(className);
    }

    @Override
    public <T extends EventListener> void addListener(@Nullable T listener) {
        registrations.addListener(listener);
    }

    @Override
    public void addListener(@Nullable Class<? extends EventListener> listenerClass) {
        registrations.addListener(listenerClass);
    }

    @Override
    public <T extends EventListener> T createListener(Class<T> type) throws ServletException {
        return registrations.createListener(type);
    }

    @Override
    public @Nullable JspConfigDescriptor getJspConfigDescriptor() {
        return settings.jsp();
    }

    @Override
    public ClassLoader getClassLoader() {
        return classLoader;
    }

    @Override
    public void declareRoles(String @Nullable ... roleNames) {
        window.requireOpen();
        List<String> names = Arguments.requiredItems(roleNames, "role names");
        names.forEach(name -> Arguments.requiredName(name, "role name"));
        roles.declare(names);
    }

    @Override
    public String getVirtualServerName() {
        return settings.host().isEmpty() ? DEFAULT_HOST : settings.host();
    }

    @Override
    public int getSessionTimeout() {
        return sessions.defaultMaxInactiveInterval() / 60;
    }

    /** This method has no effect if the operator has fixed the time-out. */
    @Override
    public void setSessionTimeout(int minutes) {
        window.requireOpen();
        if (settings.sessions().fixed().minutes() == null) {
            sessions.defaultMaxInactiveInterval(seconds(minutes));
        }
    }

    private static int seconds(int minutes) {
        return Saturated.count(minutes * 60L);
    }

    @Override
    public @Nullable String getRequestCharacterEncoding() {
        return requestEncoding;
    }

    /** This method has no effect if the operator has fixed the encoding. */
    @Override
    public void setRequestCharacterEncoding(@Nullable String encoding) {
        window.requireOpen();
        if (settings.fixedEncodings().request() == null) {
            requestEncoding = encoding;
        }
    }

    /**
     * Returns a function from a locale to the encoding that {@code setLocale} of a response selects (Servlet 6.1, section 5.6). Its result is
     * null if the application has set a default encoding, and no encoding is declared for the locale. Each call returns the same object.
     */
    public Function<Locale, @Nullable String> encodingsByLocale() {
        return encodingsByLocale;
    }

    private @Nullable String encodingFor(Locale locale) {
        String declared = settings.encodings().forLocale(locale);
        return declared != null || responseEncoding != null ? declared : LocaleEncodings.of(locale);
    }

    @Override
    public @Nullable String getResponseCharacterEncoding() {
        return responseEncoding;
    }

    /** This method has no effect if the operator has fixed the encoding. */
    @Override
    public void setResponseCharacterEncoding(@Nullable String encoding) {
        window.requireOpen();
        if (settings.fixedEncodings().response() == null) {
            responseEncoding = encoding;
        }
    }

    @Override
    public String toString() {
        return "context " + name();
    }
}
