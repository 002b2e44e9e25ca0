package io.penstock.telemetry;

/** The units of figures: base units, as metrics libraries want them. */
public enum Unit {
    /** A count, without a unit. */
    NONE(""),
    SECONDS("seconds"),
    BYTES("bytes");

    private final String symbol;

    Unit(String symbol) {
        this.symbol = symbol;
    }

    /** The unit's name, such as {@code seconds}; empty for a count. */
    public String symbol() {
        return symbol;
    }
}
