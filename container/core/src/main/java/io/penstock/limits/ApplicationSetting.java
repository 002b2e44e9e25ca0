package io.penstock.limits;

import java.util.regex.Pattern;

/**
 * A setting of one application, with its origin.
 *
 * @param contextPath {@code /} for the root, or {@code /name}
 * @param parameter the name that follows the key's; empty for keys without one
 * @param text the value as it was given, without white space around it
 * @param value the value that the key has parsed from the text
 */
public record ApplicationSetting(
        String contextPath, ApplicationKey key, String parameter, String text, Object value, Origin origin) {
    private static final char SEPARATOR = ':';
    private static final Pattern SECRET = Pattern.compile("(?i).*(password|passwd|secret|token|credential).*");

    /** Whether a name belongs to a setting of an application: these begin with the context path. */
    public static boolean isNamed(String name) {
        return name.startsWith("/");
    }

    /** The setting's name, as in {@code /shop:exclude-scan}. */
    public String id() {
        return contextPath + SEPARATOR + key.id() + (parameter.isEmpty() ? "" : "." + parameter);
    }

    /** The value for people; hidden if its name marks it as a secret. */
    public String shown() {
        return SECRET.matcher(parameter).matches() ? "(hidden)" : text;
    }

    /** Hides secrets, so that a log shows none by accident. */
    @Override
    public String toString() {
        return id() + " = " + shown() + " (from " + origin + ")";
    }

    /**
     * Reads a setting.
     *
     * @param name such as {@code /shop:exclude-scan}
     * @throws ConfigurationException if there is no such setting, or the value cannot be read
     */
    static ApplicationSetting parse(String name, String text, Origin origin) {
        int separator = name.indexOf(SEPARATOR);
        if (separator < 0) {
            throw new ConfigurationException("unknown key '" + name
                    + "': a setting of an application is written /context:key (from " + origin + ")");
        }
        String contextPath = name.substring(0, separator);
        String id = name.substring(separator + 1);
        if (!isContextPath(contextPath)) {
            throw new ConfigurationException("'" + name + "': the context path must be / or like /shop, not '"
                    + contextPath + "' (from " + origin + ")");
        }
        ApplicationKey key = ApplicationKey.named(id)
                .orElseThrow(() -> new ConfigurationException(
                        "unknown key '" + id + "' of the application " + contextPath + " (from " + origin + ")"));
        String given = text.strip();
        try {
            String parameter = key.hasParameter() ? id.substring(key.id().length() + 1) : "";
            return new ApplicationSetting(contextPath, key, parameter, given, key.parse(given), origin);
        } catch (IllegalArgumentException e) {
            throw ConfigurationException.at(origin, name + ": " + e.getMessage(), e);
        }
    }

    private static boolean isContextPath(String text) {
        return text.equals("/") || text.startsWith("/") && !text.endsWith("/") && !text.contains("//");
    }
}
