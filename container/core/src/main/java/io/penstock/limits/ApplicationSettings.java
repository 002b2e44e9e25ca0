package io.penstock.limits;

import io.penstock.limits.ApplicationSettings.Given;
import io.penstock.limits.Compression.CompressionMode;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one application that come from the configuration: from the application's own keys and from the server's keys. If a value
 * is null, the application decides. {@link Key} explains the values.
 *
 * @param given the names of the keys that have a value: those of the server, and those of the application without its path, such as {@code
 *     :env.limit}
 */
public record ApplicationSettings(
        SessionRules sessions,
        SessionRules allSessions,
        List<Parameter> contextParameters,
        List<EnvironmentEntry> environment,
        @Nullable Given<Charset> requestEncoding,
        @Nullable Given<Charset> responseEncoding,
        @Nullable Given<Charset> fileEncoding,
        List<Given<String>> excludedInitializers,
        List<Given<String>> excludedScans,
        Compression compression,
        FileRules fileRules,
        @Nullable Given<Path> overrideDescriptor,
        @Nullable Given<Path> libraries,
        @Nullable Path sharedLibraries,
        long unpackedLimit,
        Switch migrateJavax,
        Path migratedFolder,
        Set<String> given) {

    public ApplicationSettings {
        given = Set.copyOf(given);
        contextParameters = List.copyOf(contextParameters);
        environment = List.copyOf(environment);
        excludedInitializers = List.copyOf(excludedInitializers);
        excludedScans = List.copyOf(excludedScans);
    }

    /** A parameter with its origin. */
    public record Parameter(String name, String value, Origin origin) {}

    /**
     * An environment entry of the application ({@code env-entry}).
     *
     * @param name the name, relative to {@code java:comp/env}
     * @param type the name of the class; null for the class that the application declares
     */
    public record EnvironmentEntry(
            String name, String value, @Nullable Given<String> type, Origin origin) {}

    /** Combines the server's keys and the application's keys. */
    static ApplicationSettings of(Configuration server, List<ApplicationSetting> own) {
        Deploying all = Deploying.of(server);
        Given<Switch> migrate = given(own, ApplicationKey.MIGRATE_JAVAX, Switch.class);
        return new ApplicationSettings(
                new SessionRules(
                        given(own, ApplicationKey.SESSION_TIMEOUT, Integer.class),
                        given(own, ApplicationKey.SESSION_COOKIE_NAME, String.class),
                        given(own, ApplicationKey.SESSION_COOKIE_PATH, String.class),
                        given(own, ApplicationKey.SESSION_COOKIE_SAME_SITE, String.class),
                        given(own, ApplicationKey.SESSION_COOKIE_DOMAIN, String.class),
                        given(own, ApplicationKey.SESSION_COOKIE_MAX_AGE, Integer.class),
                        given(own, ApplicationKey.SESSION_COOKIE_HTTP_ONLY, Boolean.class),
                        given(own, ApplicationKey.SESSION_COOKIE_SECURE, Boolean.class),
                        given(own, ApplicationKey.SESSION_COOKIE_PARTITIONED, Boolean.class),
                        given(own, ApplicationKey.SESSION_TRACKING, SessionRules.Tracking.class)),
                all.sessions(),
                own.stream()
                        .filter(setting -> setting.key() == ApplicationKey.CONTEXT_PARAM)
                        .map(setting -> new Parameter(setting.parameter(), setting.text(), setting.origin()))
                        .toList(),
                environment(own),
                given(own, ApplicationKey.REQUEST_ENCODING, Charset.class),
                given(own, ApplicationKey.RESPONSE_ENCODING, Charset.class),
                given(own, ApplicationKey.FILE_ENCODING, Charset.class),
                names(
                        all.excludedInitializers(),
                        server.setting(Key.EXCLUDE_INITIALIZERS).origin(),
                        own,
                        ApplicationKey.EXCLUDE_INITIALIZERS),
                names(all.excludedScans(), server.setting(Key.EXCLUDE_SCAN).origin(), own, ApplicationKey.EXCLUDE_SCAN),
                compression(server, own),
                fileRules(own),
                given(own, ApplicationKey.OVERRIDE_WEB_XML, Path.class),
                given(own, ApplicationKey.LIBRARIES, Path.class),
                all.sharedLibraries(),
                all.unpacked(),
                migrate == null ? all.migrateJavax() : migrate.value(),
                all.migratedFolder(),
                Stream.concat(
                                server.settings().stream()
                                        .filter(setting -> !(setting.origin() instanceof Origin.ByDefault
                                                || setting.origin() instanceof Origin.OfJar))
                                        .map(setting -> setting.key().id()),
                                own.stream().map(ApplicationSetting::name))
                        .collect(Collectors.toSet()));
    }

    private static List<EnvironmentEntry> environment(List<ApplicationSetting> own) {
        Map<String, Given<String>> types = new HashMap<>();
        for (ApplicationSetting setting : own) {
            if (setting.key() == ApplicationKey.ENV_TYPE) {
                types.put(setting.parameter(), new Given<>(setting.text(), setting.origin()));
            }
        }
        List<EnvironmentEntry> entries = new ArrayList<>();
        for (ApplicationSetting setting : own) {
            if (setting.key() == ApplicationKey.ENV) {
                entries.add(new EnvironmentEntry(
                        setting.parameter(), setting.text(), types.get(setting.parameter()), setting.origin()));
            }
        }
        return entries;
    }

    private static FileRules fileRules(List<ApplicationSetting> own) {
        Given<Switch> listing = given(own, ApplicationKey.DIRECTORY_LISTING, Switch.class);
        Given<String> tried = given(own, ApplicationKey.TRY_FILES, String.class);
        return new FileRules(
                listing == null ? FileRules.DEFAULTS.directoryListing() : listing.value(),
                tried == null ? null : tried.value());
    }

    private static Compression compression(Configuration server, List<ApplicationSetting> own) {
        Compression all = Compression.of(server);
        Given<CompressionMode> mode = given(own, ApplicationKey.COMPRESSION, CompressionMode.class);
        return mode == null ? all : all.with(mode.value());
    }

    private static <T> @Nullable Given<T> given(List<ApplicationSetting> own, ApplicationKey key, Class<T> type) {
        for (ApplicationSetting setting : own) {
            if (setting.key() == key) {
                return new Given<>(type.cast(setting.value()), setting.origin());
            }
        }
        return null;
    }

    private static List<Given<String>> names(
            List<String> ofServer, Origin origin, List<ApplicationSetting> own, ApplicationKey key) {
        List<Given<String>> names = new ArrayList<>();
        ofServer.forEach(name -> names.add(new Given<>(name, origin)));
        for (ApplicationSetting setting : own) {
            if (setting.key() == key) {
                ApplicationKey.names(setting.text()).forEach(name -> names.add(new Given<>(name, setting.origin())));
            }
        }
        return names;
    }

    /** A value of the operator, with its origin. */
    public record Given<T>(T value, Origin origin) {}

    /**
     * The operator's rules for the time-out, the cookie and the tracking of sessions. There are two sets of rules: those for all applications, which an
     * application may change, and those for one application, which it cannot change. If a value is null, the operator has no rule. {@link
     * Key} explains the values.
     *
     * @param maxAge the seconds of Max-Age; negative for a cookie that ends when the browser closes
     * @param secure whether the cookie is Secure even if the request was not secure
     */
    public record SessionRules(
            @Nullable Given<Integer> minutes,
            @Nullable Given<String> cookieName,
            @Nullable Given<String> cookiePath,
            @Nullable Given<String> sameSite,
            @Nullable Given<String> domain,
            @Nullable Given<Integer> maxAge,
            @Nullable Given<Boolean> httpOnly,
            @Nullable Given<Boolean> secure,
            @Nullable Given<Boolean> partitioned,
            @Nullable Given<Tracking> tracking) {

        public static final SessionRules NONE =
                new SessionRules(null, null, null, null, null, null, null, null, null, null);

        /** @param modes the names of constants of {@code SessionTrackingMode} */
        public record Tracking(Set<String> modes) {
            public Tracking {
                modes = Set.copyOf(modes);
            }
        }

        /** Whether there is no rule. The start of an application calls this method, and {@code equals} of a record would make it slower. */
        public boolean isEmpty() {
            return minutes == null && tracking == null && cookieName == null && hasNoAttributes();
        }

        /** Whether there is no rule for an attribute of the cookie. */
        private boolean hasNoAttributes() {
            return cookiePath == null
                    && sameSite == null
                    && domain == null
                    && maxAge == null
                    && httpOnly == null
                    && secure == null
                    && partitioned == null;
        }

        /** Whether there is no rule for the cookie. */
        public boolean leavesCookie() {
            return cookieName == null && hasNoAttributes();
        }

        /** The rule for an attribute of the cookie; null if there is none. The name of the attribute can be in any case. */
        public @Nullable Given<?> ofAttribute(String name) {
            return switch (name.toLowerCase(Locale.ROOT)) {
                case "path" -> cookiePath;
                case "samesite" -> sameSite;
                case "domain" -> domain;
                case "max-age" -> maxAge;
                case "httponly" -> httpOnly;
                case "secure" -> secure;
                case "partitioned" -> partitioned;
                default -> null;
            };
        }

        /** All rules that there are. */
        public Stream<Given<?>> all() {
            return Stream.<@Nullable Given<?>>of(
                            minutes,
                            cookieName,
                            cookiePath,
                            sameSite,
                            domain,
                            maxAge,
                            httpOnly,
                            secure,
                            partitioned,
                            tracking)
                    .filter(Objects::nonNull);
        }
    }

    /**
     * How an application answers requests for folders and for missing files.
     *
     * @param directoryListing whether folders without a welcome file are listed
     * @param tryFile the path of a page, such as {@code /index.html}. A browser gets this page when it navigates to a path that does not exist.
     *     Null for no page
     */
    public record FileRules(
            Switch directoryListing, @Nullable String tryFile) {

        /** The behaviour that the Servlet specification requires: 404. */
        public static final FileRules DEFAULTS = new FileRules(Switch.OFF, null);
    }
}
