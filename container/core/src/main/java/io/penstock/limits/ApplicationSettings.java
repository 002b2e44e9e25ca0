package io.penstock.limits;

import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one application that come from the configuration: from the application's own keys and from the server's keys. If a value
 * is null, the application decides.
 *
 * @param sessions the rules for the application's sessions; they take precedence over the application's own settings
 * @param allSessions the rules for the sessions of all applications; the application's own settings take precedence over them
 * @param contextParameters the context parameters in the order of their names
 * @param requestEncoding the charset of text in request bodies that name no charset
 * @param responseEncoding the charset of text that servlets write
 * @param fileEncoding the charset of the application's text files
 * @param excludedInitializers the class names of initializers that do not run; {@code *} stands for any characters
 * @param excludedScans the file names of libraries whose classes are not read; {@code *} stands for any characters
 * @param compression the compression of the application's responses
 * @param fileRules the rules for folders and missing files
 * @param overrideDescriptor a descriptor that is merged over the application's own descriptor
 * @param unpackedLimit the most bytes of the application's unpacked archive; 0 for no limit
 * @param migrateJavax whether the application's archive is converted if it was made for {@code javax.servlet}
 * @param migratedFolder the folder for converted archives
 */
public record ApplicationSettings(
        SessionRules sessions,
        SessionRules allSessions,
        List<Parameter> contextParameters,
        @Nullable Given<Charset> requestEncoding,
        @Nullable Given<Charset> responseEncoding,
        @Nullable Given<Charset> fileEncoding,
        List<Given<String>> excludedInitializers,
        List<Given<String>> excludedScans,
        Compression compression,
        FileRules fileRules,
        @Nullable Given<Path> overrideDescriptor,
        long unpackedLimit,
        Switch migrateJavax,
        Path migratedFolder) {

    public ApplicationSettings {
        contextParameters = List.copyOf(contextParameters);
        excludedInitializers = List.copyOf(excludedInitializers);
        excludedScans = List.copyOf(excludedScans);
    }

    /** A parameter with its origin. */
    public record Parameter(String name, String value, Origin origin) {}

    /** Combines the server's keys and the application's keys. */
    static ApplicationSettings of(Configuration server, List<ApplicationSetting> own) {
        Deploying all = Deploying.of(server);
        Given<Switch> migrate = given(own, ApplicationKey.MIGRATE_JAVAX, Switch.class);
        return new ApplicationSettings(
                new SessionRules(
                        given(own, ApplicationKey.SESSION_TIMEOUT, Integer.class),
                        given(own, ApplicationKey.SESSION_COOKIE_NAME, String.class),
                        given(own, ApplicationKey.SESSION_COOKIE_PATH, String.class),
                        given(own, ApplicationKey.SESSION_COOKIE_SAME_SITE, String.class)),
                all.sessions(),
                own.stream()
                        .filter(setting -> setting.key() == ApplicationKey.CONTEXT_PARAM)
                        .map(setting -> new Parameter(setting.parameter(), setting.text(), setting.origin()))
                        .toList(),
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
                all.unpacked(),
                migrate == null ? all.migrateJavax() : migrate.value(),
                all.migratedFolder());
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
                NameList.parse(setting.text()).forEach(name -> names.add(new Given<>(name, setting.origin())));
            }
        }
        return names;
    }
}
