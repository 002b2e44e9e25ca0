package io.penstock.limits;

import org.jspecify.annotations.Nullable;

/** Thrown for a value that its key does not allow. */
final class BadValueException extends IllegalArgumentException {

    private final transient Key key;
    private final String problem;

    BadValueException(Key key, String problem) {
        this(key, problem, null);
    }

    BadValueException(Key key, String problem, @Nullable Throwable cause) {
        super(key.id() + " " + problem, cause);
        this.key = key;
        this.problem = problem;
    }

    Key key() {
        return key;
    }

    /** The message without the name of the key. */
    String problem() {
        return problem;
    }
}
