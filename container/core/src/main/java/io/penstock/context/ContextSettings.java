package io.penstock.context;

import io.penstock.address.ContextLocation;
import io.penstock.limits.ApplicationSettings.FileRules;
import io.penstock.limits.Compression;
import jakarta.servlet.descriptor.JspConfigDescriptor;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a context as a whole, from a descriptor or an embedding program.
 *
 * @param host the host whose requests the context serves, a name or a wildcard; empty for the default host
 * @param contextPath the context path, decoded: empty for the root, or {@code /name}
 * @param displayName the display name; null if no name is declared
 * @param version the version of the Servlet specification for which the application was written
 * @param initParameters the init parameters of the context
 * @param resources the files of the application; they are closed when the context stops
 * @param classLoader the class loader of the application
 * @param temporary the temporary directory; if null, the context creates a directory at its start, and deletes this directory at its stop
 * @param fixedEncodings the encodings among {@code encodings} that the code of the application cannot change
 * @param compression the compression of the application's responses
 * @param fileRules the rules for folders and missing files
 * @param orderedLibs the file names of the jars of WEB-INF/lib in their declared order, or null if no order is declared
 * @param jsp the {@code jsp-config} elements of all descriptors, merged; null for none
 * @param eagerServlets what happens if a servlet with {@code load-on-startup} fails
 */
public record ContextSettings(
        String host,
        String contextPath,
        @Nullable String displayName,
        Version version,
        Map<String, String> initParameters,
        Resources resources,
        ClassLoader classLoader,
        @Nullable Path temporary,
        SessionSettings sessions,
        Encodings encodings,
        Encodings fixedEncodings,
        ErrorPages errorPages,
        WelcomeFiles welcomeFiles,
        MimeTypes mimeTypes,
        SecuritySettings security,
        Compression compression,
        FileRules fileRules,
        @Nullable List<String> orderedLibs,
        @Nullable JspConfigDescriptor jsp,
        EagerServlets eagerServlets) {

    /** What happens if a servlet with {@code load-on-startup} fails. */
    public enum EagerServlets {
        /** The failure is logged, and the first request tries the servlet again (Servlet 6.1 section 2.3.2.1). */
        MAY_FAIL,
        /** The context does not start. */
        MUST_LOAD
    }

    /** A version of the Servlet specification. */
    public record Version(int major, int minor) {
        public static final Version CURRENT = new Version(6, 1);
    }

    public ContextSettings {
        if (!contextPath.isEmpty() && (contextPath.charAt(0) != '/' || contextPath.endsWith("/"))) {
            throw new IllegalArgumentException("context path must be empty or /name: " + contextPath);
        }
        initParameters = Map.copyOf(initParameters);
        orderedLibs = orderedLibs == null ? null : List.copyOf(orderedLibs);
    }

    /** The host and path of the context on the server. */
    public ContextLocation location() {
        return new ContextLocation(host, contextPath);
    }

    /** Whether the path, which starts with {@code /}, is the context path or below it. */
    public boolean owns(String path) {
        return path.startsWith(contextPath)
                && (path.length() == contextPath.length() || path.charAt(contextPath.length()) == '/');
    }

    /** Returns a builder in which all settings except the path have defaults. The root context has the path {@code /} or the empty path. */
    public static Builder builder(String contextPath) {
        return new Builder(contextPath.equals("/") ? "" : contextPath);
    }

    /** Collects settings. Thread: one. */
    public static final class Builder {
        private final String contextPath;
        private final Map<String, String> initParameters = new LinkedHashMap<>();
        private String host = "";
        private @Nullable String displayName;
        private Version version = Version.CURRENT;
        private Resources resources = Resources.none();
        private ClassLoader classLoader = defaultLoader();
        private @Nullable Path temporary;
        private SessionSettings sessions = SessionSettings.defaults();
        private Encodings encodings = Encodings.NONE;
        private Encodings fixedEncodings = Encodings.NONE;
        private ErrorPages errorPages = ErrorPages.NONE;
        private WelcomeFiles welcomeFiles = WelcomeFiles.defaults();
        private MimeTypes mimeTypes = MimeTypes.defaults();
        private SecuritySettings security = SecuritySettings.NONE;
        private Compression compression = Compression.OFF;
        private FileRules fileRules = FileRules.DEFAULTS;
        private @Nullable List<String> orderedLibs;
        private @Nullable JspConfigDescriptor jsp;
        private EagerServlets eagerServlets = EagerServlets.MAY_FAIL;

        private Builder(String contextPath) {
            this.contextPath = contextPath;
        }

        private static ClassLoader defaultLoader() {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            return loader != null ? loader : ContextSettings.class.getClassLoader();
        }

        public Builder displayName(@Nullable String name) {
            displayName = name;
            return this;
        }

        /** Sets the host: a name or a wildcard, in the canonical form of {@code HostName}. Empty for the default host. */
        public Builder host(String name) {
            host = name;
            return this;
        }

        public Builder version(int major, int minor) {
            version = new Version(major, minor);
            return this;
        }

        public Builder initParameter(String name, String value) {
            initParameters.put(name, value);
            return this;
        }

        public Builder resources(Resources files) {
            resources = files;
            return this;
        }

        public Builder classLoader(ClassLoader loader) {
            classLoader = loader;
            return this;
        }

        public Builder temporary(@Nullable Path directory) {
            temporary = directory;
            return this;
        }

        public Builder sessions(SessionSettings settings) {
            sessions = settings;
            return this;
        }

        /** Sets the encodings that are not null in {@code settings}. Other encodings stay unchanged. */
        public Builder encodings(Encodings settings) {
            encodings = settings.or(encodings);
            return this;
        }

        /** Sets the encodings that are not null in {@code settings}. The code of the application cannot change them. */
        public Builder fixedEncodings(Encodings settings) {
            fixedEncodings = settings;
            return encodings(settings);
        }

        public Builder errorPages(ErrorPages pages) {
            errorPages = pages;
            return this;
        }

        public Builder welcomeFiles(WelcomeFiles files) {
            welcomeFiles = files;
            return this;
        }

        public Builder mimeTypes(MimeTypes types) {
            mimeTypes = types;
            return this;
        }

        public Builder security(SecuritySettings settings) {
            security = settings;
            return this;
        }

        public Builder compression(Compression settings) {
            compression = settings;
            return this;
        }

        public Builder fileRules(FileRules rules) {
            fileRules = rules;
            return this;
        }

        public Builder orderedLibs(@Nullable List<String> names) {
            orderedLibs = names;
            return this;
        }

        public Builder jsp(@Nullable JspConfigDescriptor descriptor) {
            jsp = descriptor;
            return this;
        }

        public Builder eagerServlets(EagerServlets failure) {
            eagerServlets = failure;
            return this;
        }

        public ContextSettings build() {
            return new ContextSettings(
                    host,
                    contextPath,
                    displayName,
                    version,
                    initParameters,
                    resources,
                    classLoader,
                    temporary,
                    sessions,
                    encodings,
                    fixedEncodings,
                    errorPages,
                    welcomeFiles,
                    mimeTypes,
                    security,
                    compression,
                    fileRules,
                    orderedLibs,
                    jsp,
                    eagerServlets);
        }
    }
}
