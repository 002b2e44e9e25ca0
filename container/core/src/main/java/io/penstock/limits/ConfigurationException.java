package io.penstock.limits;

/** A configuration that cannot be used; the message is one line that names the key and where its value came from. */
public final class ConfigurationException extends RuntimeException {

    ConfigurationException(String message) {
        super(message);
    }

    ConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }

    /** A value that is wrong, and where it stands. */
    static ConfigurationException at(Origin origin, String problem, Throwable cause) {
        return new ConfigurationException(problem + " (from " + origin + ")", cause);
    }
}
