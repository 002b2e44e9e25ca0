package io.penstock.deploy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The declarations of a web application from one source: {@code web.xml}, a {@code web-fragment.xml}, annotations in the same form, or all
 * of these merged. Immutable. Each declaration has its place. Absent elements are null or empty, so that the merge can distinguish them
 * from default values (Servlet 8.2.3 and chapter 14).
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

    /** A value with its place. */
    public record Text(String value, SourceLocation at) {}

    /** A {@code context-param}, an {@code init-param} or a cookie attribute. */
    public record Parameter(String name, String value, SourceLocation at) {}

    /**
     * The properties of the descriptor as a whole.
     *
     * @param version the attribute, such as {@code 6.1}, or the version of the DOCTYPE for 2.2 and 2.3; null if there is neither
     * @param name a fragment's name
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
     * {@code absolute-ordering} of {@code web.xml}, or {@code ordering} of a fragment; {@link #OTHERS} stands for
     * {@code <others/>}.
     *
     * @param absolute null if there is no such element; empty if the element is empty
     */
    public record Ordering(@Nullable List<String> absolute, List<String> before, List<String> after) {
        /** No fragment can have this name, since names are Java identifiers. */
        static final String OTHERS = "<others/>";

        static final Ordering NONE = new Ordering(null, List.of(), List.of());

        public Ordering {
            absolute = absolute == null ? null : List.copyOf(absolute);
            before = List.copyOf(before);
            after = List.copyOf(after);
        }
    }

    /**
     * A {@code servlet}.
     *
     * @param className null if the servlet has a {@code jsp-file}, or if another source names the class
     * @param loadOnStartup null if it is absent
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
     * A {@code multipart-config}; sizes in bytes, -1 for no limit.
     *
     * @param location absolute, or relative to the temporary directory of the context; empty for that directory
     */
    public record Multipart(String location, long maxFileSize, long maxRequestSize, int fileSizeThreshold) {}

    /** A {@code security-role-ref}: the name that a servlet uses for a role, and the role. */
    public record RoleReference(String name, @Nullable String link) {}

    /** A {@code servlet-mapping}. */
    public record ServletMapping(String servletName, List<String> patterns, SourceLocation at) {
        public ServletMapping {
            patterns = List.copyOf(patterns);
        }
    }

    /** A {@code filter}. */
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

    /** A {@code filter-mapping}; without dispatchers it means REQUEST. */
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

    /** A {@code listener}. */
    public record ListenerDeclaration(String className, SourceLocation at) {}

    /**
     * A {@code session-config}.
     *
     * @param timeoutMinutes 0 or less: sessions do not expire
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

    /** A {@code cookie-config}; {@code maxAge} in seconds. */
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

    /** An {@code error-page}: for a status, for an exception type, or, with neither, for every error. */
    public record ErrorPage(
            @Nullable Integer status, @Nullable String exceptionType, String location, SourceLocation at) {}

    /** A {@code mime-mapping}. */
    public record MimeMapping(String extension, String type, SourceLocation at) {}

    /** A {@code locale-encoding-mapping}. */
    public record LocaleEncoding(String locale, String encoding, SourceLocation at) {}

    /** The security declarations. */
    public record Security(
            List<SecurityConstraint> constraints, @Nullable LoginConfig login, List<Text> roles) {
        static final Security NONE = new Security(List.of(), null, List.of());

        public Security {
            constraints = List.copyOf(constraints);
            roles = List.copyOf(roles);
        }
    }

    /**
     * A {@code security-constraint}.
     *
     * @param roles the roles that have access; null without an {@code auth-constraint}; an empty list denies all access
     * @param transport NONE, INTEGRAL or CONFIDENTIAL
     */
    public record SecurityConstraint(
            List<ResourceCollection> collections, @Nullable List<String> roles, String transport, SourceLocation at) {

        public SecurityConstraint {
            collections = List.copyOf(collections);
            roles = roles == null ? null : List.copyOf(roles);
        }
    }

    /** A {@code web-resource-collection}. */
    public record ResourceCollection(
            String name, List<String> patterns, List<String> methods, List<String> methodOmissions) {

        public ResourceCollection {
            patterns = List.copyOf(patterns);
            methods = List.copyOf(methods);
            methodOmissions = List.copyOf(methodOmissions);
        }
    }

    /** A {@code login-config}. */
    public record LoginConfig(
            @Nullable String method,
            @Nullable String realm,
            @Nullable String loginPage,
            @Nullable String errorPage,
            SourceLocation at) {}
}
