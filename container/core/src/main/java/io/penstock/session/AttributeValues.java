package io.penstock.session;

import java.io.Serializable;

/** The values that the session attributes of an application may have. */
public enum AttributeValues {
    ANY,

    /** Only serializable values, since the application is declared distributable (Servlet 6.1, section 7.7.2). */
    SERIALIZABLE;

    /** @throws IllegalArgumentException if the application must not bind the value to a session */
    void requireAllowed(Object value) {
        if (this == SERIALIZABLE && !(value instanceof Serializable)) {
            throw new IllegalArgumentException(
                    "session attributes of a distributable application must be serializable; "
                            + value.getClass().getName() + " is not");
        }
    }
}
