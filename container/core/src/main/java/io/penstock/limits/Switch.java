package io.penstock.limits;

/** What can be switched on. */
public enum Switch {
    OFF,
    ON;

    /** Reads {@code true} or {@code false}. */
    static Switch of(Key key, String text) {
        return switch (text) {
            case "true" -> ON;
            case "false" -> OFF;
            default -> throw new BadValueException(key, "must be true or false, not '" + text + "'");
        };
    }
}
