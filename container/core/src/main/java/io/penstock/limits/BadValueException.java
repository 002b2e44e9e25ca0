package io.penstock.limits;

/** Thrown for a value that its key does not allow. */
final class BadValueException extends IllegalArgumentException {

    private final transient Key key;
    private final String problem;

    BadValueException(Key key, String problem) {
        super(key.id() + " " + problem);
        this.key = key;
        this.problem = problem;
    }

    BadValueException(Key key, String problem, Throwable cause) {
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
