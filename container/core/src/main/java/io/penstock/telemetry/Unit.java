package io.penstock.telemetry;

/** What a figure is measured in: base units, as metrics libraries want them. */
public enum Unit {
    /** Things are counted. */
    NONE(""),
    SECONDS("seconds"),
    BYTES("bytes");

    private final String symbol;

    Unit(String symbol) {
        this.symbol = symbol;
    }

    /** {@code seconds}; empty where things are counted. */
    public String symbol() {
        return symbol;
    }
}
