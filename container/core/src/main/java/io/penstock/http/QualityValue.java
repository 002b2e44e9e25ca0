package io.penstock.http;

import java.util.regex.Pattern;

/** Weights in fields for content negotiation (RFC 9110 section 12.4.2). */
final class QualityValue {
    /** The weight of a member that does not state a weight. */
    static final int MAX = 1000;

    private static final Pattern WEIGHT = Pattern.compile("[qQ]=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)");

    private QualityValue() {}

    /** Reads {@code q=} and a qvalue. Returns the weight in thousandths; -1 if the text is malformed. */
    static int thousandths(String text) {
        if (!WEIGHT.matcher(text).matches()) {
            return -1;
        }
        return (int) Math.round(Double.parseDouble(text.substring(2)) * MAX);
    }
}
