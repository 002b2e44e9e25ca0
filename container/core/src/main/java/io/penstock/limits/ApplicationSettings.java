package io.penstock.limits;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is set for one application from outside of it, by keys of its own and by those of the server.
 *
 * @param excludedInitializers class names of initializers that do not run; {@code *} for any characters
 * @param excludedScans file names of libraries whose classes are not read, written likewise
 * @param overrideDescriptor a descriptor that is merged over the application's own, or null
 */
public record ApplicationSettings(
        List<Given<String>> excludedInitializers,
        List<Given<String>> excludedScans,
        @Nullable Given<Path> overrideDescriptor) {

    public static final ApplicationSettings NONE = new ApplicationSettings(List.of(), List.of(), null);

    public ApplicationSettings {
        excludedInitializers = List.copyOf(excludedInitializers);
        excludedScans = List.copyOf(excludedScans);
    }

    /** A value with the place that it comes from. */
    public record Given<T>(T value, Origin origin) {}

    /** The server's keys, and those of the application. */
    static ApplicationSettings of(Configuration server, List<ApplicationSetting> own) {
        List<Given<String>> initializers = names(server.setting(Key.EXCLUDE_INITIALIZERS));
        List<Given<String>> scans = names(server.setting(Key.EXCLUDE_SCAN));
        Given<Path> override = null;
        for (ApplicationSetting setting : own) {
            switch (setting.key()) {
                case EXCLUDE_INITIALIZERS -> initializers.addAll(names(setting.text(), setting.origin()));
                case EXCLUDE_SCAN -> scans.addAll(names(setting.text(), setting.origin()));
                case OVERRIDE_WEB_XML -> override = new Given<>((Path) setting.value(), setting.origin());
            }
        }
        return new ApplicationSettings(initializers, scans, override);
    }

    private static List<Given<String>> names(Setting setting) {
        return new ArrayList<>(names(setting.text(), setting.origin()));
    }

    private static List<Given<String>> names(String text, Origin origin) {
        return NameList.parse(text).stream()
                .map(name -> new Given<>(name, origin))
                .toList();
    }
}
