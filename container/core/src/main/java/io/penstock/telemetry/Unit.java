package io.penstock.telemetry;

/** The units of figures. They are base units, as metrics libraries expect. */
public enum Unit {
    /** A count, without a unit. */
    NONE(""),
    SECONDS("seconds"),
    BYTES("bytes");

    private final String symbol;

    Unit(String symbol) {
        this.symbol = symbol;
    }

    /** The name of the unit, such as {@code seconds}; empty for a count. */
    public String symbol() {
        return symbol;
    }
}
