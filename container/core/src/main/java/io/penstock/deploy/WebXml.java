package io.penstock.deploy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The declarations of a web application (Servlet 8.2.3 and chapter 14). They come from {@code web.xml}, from a {@code web-fragment.xml}, or
 * from annotations, or they are merged from several of these sources. Immutable. Each declaration has its source location. Absent elements
 * are null or empty, so {@link Merge} can distinguish them from elements with the default value.
 */
public record WebXml(
        SourceLocation at,
        About about,
        Ordering ordering,
        List<Parameter> contextParameters,
        List<ServletDeclaration> servlets,
        List<ServletMapping> servletMappings,
        List<FilterDeclaration> filters,
        List<FilterMapping> filterMappings,
        List<ListenerDeclaration> listeners,
        @Nullable SessionConfig session,
        List<Text> welcomeFiles,
        List<ErrorPage> errorPages,
        List<MimeMapping> mimeMappings,
        List<LocaleEncoding> localeEncodings,
        @Nullable Text requestEncoding,
        @Nullable Text responseEncoding,
        Security security,
        List<XmlElement> environment,
        List<XmlElement> jspConfig) {

    public WebXml {
        contextParameters = List.copyOf(contextParameters);
        servlets = List.copyOf(servlets);
        servletMappings = List.copyOf(servletMappings);
        filters = List.copyOf(filters);
        filterMappings = List.copyOf(filterMappings);
        listeners = List.copyOf(listeners);
        welcomeFiles = List.copyOf(welcomeFiles);
        errorPages = List.copyOf(errorPages);
        mimeMappings = List.copyOf(mimeMappings);
        localeEncodings = List.copyOf(localeEncodings);
        environment = List.copyOf(environment);
        jspConfig = List.copyOf(jspConfig);
    }

    /** A descriptor that declares nothing. */
    static WebXml empty(SourceLocation at) {
        return new WebXmlDraft(at).toWebXml();
    }

    /** A value with its source location. */
    public record Text(String value, SourceLocation at) {}

    /** An element {@code context-param} or {@code init-param}, or an attribute of the session cookie. */
    public record Parameter(String name, String value, SourceLocation at) {}

    /**
     * The properties of the descriptor as a whole.
     *
     * @param version the value of the attribute {@code version}, such as {@code 6.1}. For Servlet 2.2 and 2.3, the version of the DOCTYPE.
     *     Null if the descriptor has no version
     * @param name the name of a fragment, or null
     */
    public record About(
            @Nullable String version,
            boolean metadataComplete,
            @Nullable String name,
            @Nullable String displayName,
            boolean distributable,
            boolean denyUncoveredMethods) {

        static final About NOTHING = new About(null, false, null, null, false, false);
    }

    /**
     * The element {@code absolute-ordering} of {@code web.xml}, or {@code ordering} of a fragment. In the lists, {@link #OTHERS} stands for
     * {@code <others/>}.
     *
     * @param absolute the names in {@code absolute-ordering}, or null if there is no such element
     * @param before the fragments that must come after this fragment
     * @param after the fragments that must come before this fragment
     */
    public record Ordering(@Nullable List<String> absolute, List<String> before, List<String> after) {
        /** Stands for {@code <others/>}. Fragments cannot have this name, because their names are Java identifiers. */
        static final String OTHERS = "<others/>";

        static final Ordering NONE = new Ordering(null, List.of(), List.of());

        public Ordering {
            absolute = absolute == null ? null : List.copyOf(absolute);
            before = List.copyOf(before);
            after = List.copyOf(after);
        }
    }

    /**
     * An element {@code servlet}.
     *
     * @param className the class name. Null if the servlet has a {@code jsp-file}, or if another source declares the class
     * @param loadOnStartup the value of {@code load-on-startup}, or null if the element is absent
     */
    public record ServletDeclaration(
            String name,
            @Nullable String className,
            @Nullable String jspFile,
            List<Parameter> parameters,
            @Nullable Integer loadOnStartup,
            @Nullable Boolean enabled,
            @Nullable Boolean asyncSupported,
            @Nullable Multipart multipart,
            @Nullable String runAs,
            List<RoleReference> roleReferences,
            SourceLocation at) {

        public ServletDeclaration {
            parameters = List.copyOf(parameters);
            roleReferences = List.copyOf(roleReferences);
        }
    }

    /**
     * An element {@code multipart-config}. The sizes are in bytes; -1 means no limit.
     *
     * @param location the directory for uploaded files. A relative path is below the temporary directory of the context. An empty text
     *     means this temporary directory
     */
    public record Multipart(String location, long maxFileSize, long maxRequestSize, int fileSizeThreshold) {}

    /** An element {@code security-role-ref}: the name that a servlet uses for a role, and the name of the role. */
    public record RoleReference(String name, @Nullable String link) {}

    /** An element {@code servlet-mapping}. */
    public record ServletMapping(String servletName, List<String> patterns, SourceLocation at) {
        public ServletMapping {
            patterns = List.copyOf(patterns);
        }
    }

    /** An element {@code filter}. */
    public record FilterDeclaration(
            String name,
            @Nullable String className,
            List<Parameter> parameters,
            @Nullable Boolean asyncSupported,
            SourceLocation at) {

        public FilterDeclaration {
            parameters = List.copyOf(parameters);
        }
    }

    /** An element {@code filter-mapping}. If {@code dispatchers} is empty, the mapping is for {@link Dispatcher#REQUEST}. */
    public record FilterMapping(
            String filterName,
            List<String> patterns,
            List<String> servletNames,
            List<Dispatcher> dispatchers,
            SourceLocation at) {

        public FilterMapping {
            patterns = List.copyOf(patterns);
            servletNames = List.copyOf(servletNames);
            dispatchers = List.copyOf(dispatchers);
        }
    }

    /** The values of {@code dispatcher}. */
    public enum Dispatcher {
        FORWARD,
        INCLUDE,
        REQUEST,
        ASYNC,
        ERROR
    }

    /** An element {@code listener}. */
    public record ListenerDeclaration(String className, SourceLocation at) {}

    /**
     * An element {@code session-config}.
     *
     * @param timeoutMinutes the value of {@code session-timeout}, or null. With 0 or less, sessions do not expire
     */
    public record SessionConfig(
            @Nullable Integer timeoutMinutes, @Nullable Cookie cookie, List<Tracking> tracking, SourceLocation at) {

        public SessionConfig {
            tracking = List.copyOf(tracking);
        }
    }

    /** The values of {@code tracking-mode}. */
    public enum Tracking {
        COOKIE,
        URL,
        SSL
    }

    /** An element {@code cookie-config}. {@code maxAge} is in seconds. */
    public record Cookie(
            @Nullable String name,
            @Nullable String domain,
            @Nullable String path,
            @Nullable Boolean httpOnly,
            @Nullable Boolean secure,
            @Nullable Integer maxAge,
            List<Parameter> attributes) {

        public Cookie {
            attributes = List.copyOf(attributes);
        }
    }

    /**
     * An element {@code error-page}, for a status or for an exception type. If it has no status and no exception type, it is for every
     * error.
     */
    public record ErrorPage(
            @Nullable Integer status, @Nullable String exceptionType, String location, SourceLocation at) {}

    /** An element {@code mime-mapping}. */
    public record MimeMapping(String extension, String type, SourceLocation at) {}

    /** An element {@code locale-encoding-mapping}. */
    public record LocaleEncoding(String locale, String encoding, SourceLocation at) {}

    /** The declarations for security. */
    public record Security(
            List<SecurityConstraint> constraints, @Nullable LoginConfig login, List<Text> roles) {
        static final Security NONE = new Security(List.of(), null, List.of());

        public Security {
            constraints = List.copyOf(constraints);
            roles = List.copyOf(roles);
        }
    }

    /**
     * An element {@code security-constraint}.
     *
     * @param roles the roles that have access, or null if there is no {@code auth-constraint}. An empty list denies all access
     * @param transport the transport guarantee: NONE, INTEGRAL or CONFIDENTIAL
     */
    public record SecurityConstraint(
            List<ResourceCollection> collections, @Nullable List<String> roles, String transport, SourceLocation at) {

        public SecurityConstraint {
            collections = List.copyOf(collections);
            roles = roles == null ? null : List.copyOf(roles);
        }
    }

    /** An element {@code web-resource-collection}. */
    public record ResourceCollection(
            String name, List<String> patterns, List<String> methods, List<String> methodOmissions) {

        public ResourceCollection {
            patterns = List.copyOf(patterns);
            methods = List.copyOf(methods);
            methodOmissions = List.copyOf(methodOmissions);
        }
    }

    /** An element {@code login-config}. */
    public record LoginConfig(
            @Nullable String method,
            @Nullable String realm,
            @Nullable String loginPage,
            @Nullable String errorPage,
            SourceLocation at) {}
}
