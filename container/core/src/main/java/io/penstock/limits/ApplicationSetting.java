package io.penstock.limits;

import io.penstock.address.ContextLocation;
import java.util.regex.Pattern;

/**
 * A setting of one application, with its origin.
 *
 * @param location the location of the application's context, as {@link ContextLocation#name} writes it
 * @param parameter the name that follows the key's id and a dot; empty for keys without a parameter
 * @param text the configured value, without white space around it
 * @param value the value that the key has parsed from the text
 */
public record ApplicationSetting(
        String location, ApplicationKey key, String parameter, String text, Object value, Origin origin) {
    private static final char SEPARATOR = ':';
    private static final String BELOW = "/*";
    private static final Pattern SECRET =
            Pattern.compile("(?i).*(password|passwd|pwd|secret|token|credential|api.?key|private.?key).*");

    /** Whether a name is the name of an application's setting. These names begin with the context path. */
    public static boolean isNamed(String name) {
        return name.startsWith("/");
    }

    /** The setting's name, as in {@code /shop:exclude-scan}. */
    public String id() {
        return location + name();
    }

    /** The setting's name without the location: {@code :exclude-scan}, {@code :env.limit}. */
    String name() {
        return SEPARATOR + key.id() + (parameter.isEmpty() ? "" : "." + parameter);
    }

    /** The value as people see it. The value is hidden if the name of the parameter suggests a secret, such as a password. */
    public String shown() {
        return isSecret(parameter) ? "(hidden)" : text;
    }

    /** Whether the name of a parameter or an entry suggests a secret. */
    public static boolean isSecret(String name) {
        return SECRET.matcher(name).matches();
    }

    /**
     * For a key of paths ({@link ApplicationKey#isOfPath}).
     *
     * @throws ConfigurationException if the path ends with {@code /*}, so that the setting would have no effect
     */
    void requirePath() {
        if (location.endsWith(BELOW)) {
            throw new ConfigurationException(
                    id() + ": write " + location.substring(0, location.length() - BELOW.length()) + ":" + key.id()
                            + ", which covers all paths below it (from " + origin + ")");
        }
    }

    /** Hides secrets, because this text can be logged. */
    @Override
    public String toString() {
        return id() + " = " + shown() + " (from " + origin + ")";
    }

    /**
     * Reads a setting.
     *
     * @param name the name, such as {@code /shop:exclude-scan}
     * @throws ConfigurationException if there is no such setting, or the value cannot be read
     */
    static ApplicationSetting parse(String name, String text, Origin origin) {
        int separator = separator(name);
        if (separator < 0) {
            throw new ConfigurationException("unknown key '" + name
                    + "': a setting of an application is written /context:key" + HelpPage.APPLICATION_KEYS.more()
                    + " (from " + origin + ")");
        }
        String context = name.substring(0, separator);
        String id = name.substring(separator + 1);
        ContextLocation location = location(name, context, origin);
        ApplicationKey key = ApplicationKey.named(id)
                .orElseThrow(() -> new ConfigurationException((Key.named(id).isPresent()
                                ? id + " is a setting of the whole server: write it without " + context
                                : "unknown key '" + id + "' of the application " + context
                                        + ClosestName.question(id, ApplicationKey.names()))
                        + " (from " + origin + ")"));
        if (key.isOfHost()
                && (location.host().isEmpty() || !location.contextPath().isEmpty())) {
            throw new ConfigurationException("'" + name + "': " + key.id()
                    + " is for a host with all its contexts, as in //www.example.org:" + key.id() + " (from " + origin
                    + ")");
        }
        String given = text.strip();
        try {
            String parameter = key.hasParameter() ? id.substring(key.id().length() + 1) : "";
            return new ApplicationSetting(location.name(), key, parameter, given, key.parse(given), origin);
        } catch (IllegalArgumentException e) {
            throw ConfigurationException.at(origin, name + ": " + e.getMessage(), e);
        }
    }

    private static ContextLocation location(String name, String context, Origin origin) {
        try {
            return ContextLocation.parse(context);
        } catch (IllegalArgumentException e) {
            throw ConfigurationException.at(origin, "'" + name + "': " + e.getMessage(), e);
        }
    }

    /** The position of the colon between context and key; -1 if there is none. Colons in the brackets of an address are skipped. */
    private static int separator(String name) {
        int from = name.startsWith("//[") ? name.indexOf(']') : 0;
        return from < 0 ? -1 : name.indexOf(SEPARATOR, from);
    }
}
