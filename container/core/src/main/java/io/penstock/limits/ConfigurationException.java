package io.penstock.limits;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown for an invalid configuration. The message is one line with the key and the origin of its value. */
public final class ConfigurationException extends RuntimeException {
    private final transient @Nullable BadSetting setting;

    ConfigurationException(String message) {
        super(message);
        this.setting = null;
    }

    ConfigurationException(String message, Throwable cause) {
        this(message, cause, null);
    }

    private ConfigurationException(String message, Throwable cause, @Nullable BadSetting setting) {
        super(message, cause);
        this.setting = setting;
    }

    /** Creates an exception for an invalid value with this origin. */
    static ConfigurationException at(Origin origin, String problem, Throwable cause) {
        return new ConfigurationException(problem + " (from " + origin + ")", cause);
    }

    /** Creates an exception for the invalid value of a key. {@code line} is the message without the origin. */
    static ConfigurationException at(BadSetting setting, String line, Throwable cause) {
        return new ConfigurationException(line + " (from " + setting.origin() + ")", cause, setting);
    }

    /** The invalid setting. Empty if the error is not in the value of a key. */
    public Optional<BadSetting> setting() {
        return Optional.ofNullable(setting);
    }

    /**
     * A value that its key does not allow.
     *
     * @param shown the value as people see it; secrets are hidden
     * @param problem the error; in a message, this text follows the name of the key
     */
    public record BadSetting(Key key, String shown, Origin origin, String problem) {}
}
