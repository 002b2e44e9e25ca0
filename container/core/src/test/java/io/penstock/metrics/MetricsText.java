package io.penstock.metrics;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A strict parser of OpenMetrics. It throws if the text violates the grammar.
 *
 * @param samples the value of each sample; the key is the sample's name with its labels, exactly as in the text
 * @param types the type of each metric family
 */
public record MetricsText(Map<String, Double> samples, Map<String, String> types) {
    private static final Pattern COMMENT =
            Pattern.compile("# (TYPE|UNIT|HELP) ([a-zA-Z_:][a-zA-Z0-9_:]*) ((?:[^\\\\\"\\n]|\\\\[n\\\\\"])*)");
    private static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\\\\\"\\n]|\\\\[n\\\\\"])*\"";
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{" + LABEL + "(?:," + LABEL
            + ")*\\})? (-?[0-9]+(?:\\.[0-9]+)?(?:E-?[0-9]+)?)");
    private static final Map<String, String> SUFFIXES = Map.of(
            "counter", "_total",
            "gauge", "",
            "info", "_info",
            "histogram", "(_bucket|_count|_sum)",
            "summary", "(_count|_sum)");

    public static MetricsText read(String text) {
        if (!text.endsWith("# EOF\n")) {
            throw new AssertionError("the text does not end with # EOF: " + text);
        }
        Map<String, Double> samples = new LinkedHashMap<>();
        Map<String, String> types = new HashMap<>();
        String family = "";
        for (String line : text.substring(0, text.length() - "# EOF\n".length()).split("\n", -1)) {
            Matcher comment = COMMENT.matcher(line);
            Matcher sample = SAMPLE.matcher(line);
            if (comment.matches()) {
                family = familyAfterComment(family, comment, types);
            } else if (sample.matches()) {
                String suffix = SUFFIXES.get(types.get(family));
                if (!sample.group(1).matches(Pattern.quote(family) + suffix)) {
                    throw new AssertionError("the sample does not belong to the family " + family + ": " + line);
                }
                String name = line.substring(0, line.lastIndexOf(' '));
                if (samples.put(name, Double.valueOf(sample.group(3))) != null) {
                    throw new AssertionError("the sample occurs twice: " + line);
                }
            } else if (!line.isEmpty()) {
                throw new AssertionError("the line is not a valid comment or sample: " + line);
            }
        }
        return new MetricsText(samples, types);
    }

    private static String familyAfterComment(String family, Matcher comment, Map<String, String> types) {
        String name = comment.group(2);
        if (comment.group(1).equals("TYPE")) {
            if (types.put(name, comment.group(3)) != null) {
                throw new AssertionError("the family occurs twice: " + name);
            }
            return name;
        }
        if (!name.equals(family)) {
            throw new AssertionError("the comment belongs to another family: " + comment.group());
        }
        if (comment.group(1).equals("UNIT") && !name.endsWith("_" + comment.group(3))) {
            throw new AssertionError("the name does not contain its unit: " + comment.group());
        }
        return family;
    }

    /** Returns the value of a sample, or throws if the sample is missing. */
    public double value(String sample) {
        Double value = samples.get(sample);
        if (value == null) {
            throw new AssertionError("the sample " + sample + " is missing in " + samples.keySet());
        }
        return value;
    }
}
