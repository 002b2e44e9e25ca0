package io.penstock;

import io.penstock.context.Encodings;
import io.penstock.context.ErrorPages;
import io.penstock.deploy.Applications;
import io.penstock.deploy.ContextDefinition;
import io.penstock.deploy.EmbeddedFiles;
import io.penstock.time.Saturated;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContainerInitializer;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EventListener;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A web application made in code. {@link Penstock.Builder#context} passes this object to its lambda. All settings are checked when the
 * server starts. Each servlet, filter and listener instance belongs to one context of one server.
 *
 * <p>An initialiser can make a servlet load on startup. If this servlet fails, the start of the context fails.
 *
 * <p>Servlets and filters can use asynchronous processing. The context loads classes and resources by the context class loader of the
 * thread that starts the server.
 *
 * <p>Thread: the thread that builds the context.
 */
public final class Context {
    private final String contextPath;
    private final Map<String, String> initParameters = new LinkedHashMap<>();
    private final Map<String, Map<String, String>> ofServlets = new LinkedHashMap<>();
    private final List<ServletEntry> servlets = new ArrayList<>();
    private final List<ContextDefinition.EmbeddedFilter> filters = new ArrayList<>();
    private final List<EventListener> listeners = new ArrayList<>();
    private final ErrorPages.Builder errorPages = ErrorPages.builder();
    private final SecurityDraft security = new SecurityDraft();
    private final List<ServletContainerInitializer> initializers = new ArrayList<>();
    private @Nullable Integer sessionMinutes;
    private @Nullable Charset requestEncoding;
    private @Nullable Charset responseEncoding;
    private @Nullable Charset fileEncoding;
    private final Map<String, String> localeEncodings = new LinkedHashMap<>();
    private final Map<String, String> mimeTypes = new LinkedHashMap<>();
    private final List<Path> libraries = new ArrayList<>();
    private @Nullable String displayName;
    private @Nullable Path resources;
    private EmbeddedFiles.Serving serving = EmbeddedFiles.Serving.ON;

    private record ServletEntry(
            String name,
            Servlet servlet,
            List<String> patterns,
            @Nullable MultipartConfigElement multipart) {}

    Context(String contextPath) {
        this.contextPath = contextPath;
    }

    /**
     * Adds a servlet.
     *
     * @param name a name that is unique within the context
     * @param patterns URL patterns (Servlet 12.2): {@code /exact}, {@code /path/*}, {@code *.extension}, {@code /}, or the empty pattern
     *     for the context's root
     */
    public Context servlet(String name, Servlet servlet, String... patterns) {
        servlets.add(new ServletEntry(name, servlet, List.of(patterns), null));
        return this;
    }

    /** Like {@link #servlet(String, Servlet, String...)}, for a servlet that reads the parts of {@code multipart/form-data}. */
    public Context servlet(String name, Servlet servlet, MultipartConfigElement multipart, String... patterns) {
        servlets.add(new ServletEntry(name, servlet, List.of(patterns), multipart));
        return this;
    }

    /** Sets an init parameter of the servlet with the given name. The servlet can be added later. */
    public Context servletInitParam(String servletName, String name, String value) {
        ofServlets.computeIfAbsent(servletName, key -> new LinkedHashMap<>()).put(name, value);
        return this;
    }

    /** Adds a filter for requests of clients, not for forwards and other dispatches. Filters run in the order in which they are added. */
    public Context filter(String name, Filter filter, String... patterns) {
        return filter(name, filter, Set.of(), patterns);
    }

    /** Adds a filter for the given kinds of dispatch. If the set is empty, the filter is for {@link DispatcherType#REQUEST}. */
    public Context filter(String name, Filter filter, Set<DispatcherType> types, String... patterns) {
        filters.add(new ContextDefinition.EmbeddedFilter(name, filter, types, List.of(patterns), Map.of()));
        return this;
    }

    /** Adds a listener of any kind of the Servlet API; listeners are called in the order in which they are added. */
    public Context listener(EventListener listener) {
        listeners.add(listener);
        return this;
    }

    /**
     * Adds an initialiser. The initialiser runs at the start of the context, before the listeners of the context. It can register servlets,
     * filters and listeners. Its {@code onStartup} method receives null instead of a set of classes.
     */
    public Context initializer(ServletContainerInitializer initializer) {
        initializers.add(initializer);
        return this;
    }

    /** Sets an init parameter of the context. */
    public Context initParam(String name, String value) {
        initParameters.put(name, value);
        return this;
    }

    /**
     * Sets the time between two requests after which a session expires, instead of 30 minutes (Servlet 6.1 section 7.5).
     *
     * @param time the time in whole minutes; zero means that sessions do not expire
     * @throws IllegalArgumentException if the time is negative, or is not a whole number of minutes
     */
    public Context sessionTimeout(Duration time) {
        if (time.isNegative() || !time.equals(Duration.ofMinutes(time.toMinutes()))) {
            throw new IllegalArgumentException("a session's time-out is in whole minutes, not " + time);
        }
        sessionMinutes = Saturated.count(time.toMinutes());
        return this;
    }

    /**
     * Sets the charset of forms and of text in request bodies, if the request names no charset. Replaces the server's {@code
     * request-encoding} (Servlet 6.1 section 3.12).
     */
    public Context requestEncoding(Charset charset) {
        requestEncoding = charset;
        return this;
    }

    /**
     * Sets the charset of text from servlets that name no charset. Replaces the server's {@code response-encoding} (Servlet 6.1 section
     * 5.6). Files are sent unchanged.
     */
    public Context responseEncoding(Charset charset) {
        responseEncoding = charset;
        return this;
    }

    /** Sets the charset in the content type of every text file, including HTML. Replaces the server's {@code file-encoding}. */
    public Context fileEncoding(Charset charset) {
        fileEncoding = charset;
        return this;
    }

    /**
     * Sets the error page for a status. The page is a servlet of this context, or a file of {@link #resources}.
     *
     * @param location the path of the page; starts with {@code /}
     */
    public Context errorPage(int status, String location) {
        errorPages.status(status, location);
        return this;
    }

    /** Sets the error page for exceptions of the given type, and of its subtypes that have no page of their own. */
    public Context errorPage(Class<? extends Throwable> type, String location) {
        errorPages.throwable(type.getName(), location);
        return this;
    }

    /** Sets the error page for all errors without another page. */
    public Context errorPage(String location) {
        errorPages.fallback(location);
        return this;
    }

    /**
     * Only users with one of the given roles can request the paths of the pattern, with any method. If several patterns match a path, the
     * best match is used, as for servlets.
     *
     * @param roles the roles; {@code **} stands for all users who have logged in. Without roles, access is denied to everyone
     */
    public Context constrain(String pattern, String... roles) {
        security.constrain(pattern, Set.of(roles));
        return this;
    }

    /** Users log in by Basic authentication: each request has the name and the password. {@link Penstock.Builder#realm} sets the users. */
    public Context basicLogin(String realmName) {
        security.login("BASIC", realmName, null, null);
        return this;
    }

    /** Users log in by Digest authentication, which does not send the password. */
    public Context digestLogin(String realmName) {
        security.login("DIGEST", realmName, null, null);
        return this;
    }

    /**
     * Users log in by a form.
     *
     * @param loginPage the path of a servlet or file with the login form. The form is sent to {@code j_security_check}, with the fields
     *     {@code j_username} and {@code j_password}
     * @param errorPage the path of the page that is shown after a failed login
     */
    public Context formLogin(String loginPage, String errorPage) {
        security.login("FORM", null, loginPage, errorPage);
        return this;
    }

    /** Users log in by their certificates. */
    public Context certificateLogin() {
        security.login("CLIENT-CERT", null, null, null);
        return this;
    }

    /** Sets the charset that a response uses after {@code setLocale} with the given locale (Servlet 6.1 section 5.6). */
    public Context localeEncoding(Locale locale, Charset charset) {
        localeEncodings.put(locale.toString(), charset.name());
        return this;
    }

    /** Sets the display name of the application. */
    public Context displayName(String name) {
        displayName = name;
        return this;
    }

    /**
     * Sets the media type of files with this extension. Replaces the server's media type. The type is sent unchanged: no charset is added
     * for text.
     *
     * @param extension the extension without its dot
     */
    public Context mimeType(String extension, String type) {
        mimeTypes.put(extension, type);
        return this;
    }

    /** Serves the files of a folder, or of an archive, at paths without a servlet. The files are also the resources of the context. */
    public Context resources(Path folder) {
        resources = folder;
        return this;
    }

    /**
     * Serves {@code META-INF/resources} of a jar or of a folder with classes. Files of {@link #resources} have precedence over files of
     * libraries. Libraries have precedence in the order of the calls.
     */
    public Context libraryResources(Path library) {
        libraries.add(library);
        return this;
    }

    /**
     * Does not serve the files of {@link #resources} to clients. Only the application can read the files, through its {@code
     * ServletContext}.
     */
    public Context withoutFiles() {
        serving = EmbeddedFiles.Serving.OFF;
        return this;
    }

    Applications.Deployable wanted() {
        return new Applications.Deployable(
                contextPath, "a context made in code", deployer -> deployer.deploy(definition()));
    }

    private ContextDefinition definition() {
        Set<String> unknown = new LinkedHashSet<>(ofServlets.keySet());
        List<ContextDefinition.EmbeddedServlet> defined = new ArrayList<>();
        for (ServletEntry entry : servlets) {
            unknown.remove(entry.name());
            defined.add(new ContextDefinition.EmbeddedServlet(
                    entry.name(),
                    entry.servlet(),
                    entry.patterns(),
                    ofServlets.getOrDefault(entry.name(), Map.of()),
                    entry.multipart()));
        }
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "context " + contextPath + ": init parameters for servlets that it does not have: " + unknown);
        }
        return new ContextDefinition(
                contextPath,
                initParameters,
                defined,
                filters,
                listeners,
                sessionMinutes,
                Encodings.of(requestEncoding, responseEncoding, fileEncoding).withLocales(localeEncodings),
                errorPages.build(),
                initializers,
                new EmbeddedFiles(resources, libraries, serving, mimeTypes),
                security.settings(),
                displayName);
    }
}
