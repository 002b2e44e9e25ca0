package io.penstock.telemetry;

/** The units of figures. Metrics libraries expect these base units. */
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
