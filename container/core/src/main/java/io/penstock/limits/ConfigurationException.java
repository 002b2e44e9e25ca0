package io.penstock.limits;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An invalid configuration. The message is one line with the key and the origin of its value. */
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

    /** An exception for a wrong value, with its origin. */
    static ConfigurationException at(Origin origin, String problem, Throwable cause) {
        return new ConfigurationException(problem + " (from " + origin + ")", cause);
    }

    /** For the wrong value of a key; {@code line} is the message without the origin. */
    static ConfigurationException at(BadSetting setting, String line, Throwable cause) {
        return new ConfigurationException(line + " (from " + setting.origin() + ")", cause, setting);
    }

    /** The setting that is wrong, if it is the value of one key. */
    public Optional<BadSetting> setting() {
        return Optional.ofNullable(setting);
    }
}
