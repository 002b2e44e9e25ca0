package io.penstock.limits;

/** An invalid configuration. The message is one line with the key and the origin of its value. */
public final class ConfigurationException extends RuntimeException {

    ConfigurationException(String message) {
        super(message);
    }

    ConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }

    /** For a wrong value, with its origin. */
    static ConfigurationException at(Origin origin, String problem, Throwable cause) {
        return new ConfigurationException(problem + " (from " + origin + ")", cause);
    }
}
