package io.penstock.loadtest.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table.
 *
 * @param name the name with the unit, such as {@code p99 (ms)}
 * @param align the alignment of the cells
 * @param decimals the number of decimals of a {@code double} or {@code float}
 */
public record Column(String name, Align align, int decimals) {

    /** The side to which the cells are aligned. */
    public enum Align {
        LEFT,
        RIGHT
    }

    /** A column of text. */
    public static Column text(String name) {
        return new Column(name, Align.LEFT, 3);
    }

    /** A column of whole numbers. */
    public static Column count(String name) {
        return new Column(name, Align.RIGHT, 0);
    }

    /** A column of numbers with the given number of decimals. */
    public static Column number(String name, int decimals) {
        return new Column(name, Align.RIGHT, decimals);
    }

    /** Returns the cell as text. For a missing value (null or NaN), the text is empty. */
    String format(@Nullable Object cell) {
        if (cell == null) {
            return "";
        }
        if (cell instanceof Double || cell instanceof Float) {
            double value = ((Number) cell).doubleValue();
            return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%." + decimals + "f", value);
        }
        return cell.toString();
    }
}
