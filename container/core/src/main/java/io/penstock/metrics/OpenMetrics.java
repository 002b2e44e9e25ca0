package io.penstock.metrics;

import io.penstock.telemetry.Times;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Writes a text in the format of OpenMetrics 1.0, or in the older Prometheus format. The text consists of families of samples, and of an
 * end marker in OpenMetrics.
 *
 * <p>Thread: one.
 */
public final class OpenMetrics {
    private final TextFormat format;
    private final StringBuilder out = new StringBuilder(64 * 1024);
    private final Set<String> names = new HashSet<>();

    public OpenMetrics(TextFormat format) {
        this.format = format;
    }

    /** The type of a family's samples. */
    public enum Type {
        COUNTER("counter", "_total"),
        GAUGE("gauge", ""),
        HISTOGRAM("histogram", ""),
        SUMMARY("summary", ""),
        /** A sample with information in its labels. The older format has no such type, and uses a gauge. */
        INFO("gauge", "_info");

        private final String before;
        private final String suffix;

        Type(String before, String suffix) {
            this.before = before;
            this.suffix = suffix;
        }
    }

    /**
     * Begins a family. Its samples follow before the next family begins.
     *
     * @param name the name of the family, without the suffixes of samples; it ends with the unit, if there is one
     * @param unit {@code seconds} or {@code bytes}; empty if there is no unit
     */
    public Family family(String name, Type type, String unit, String help) {
        if (!names.add(name)) {
            throw new IllegalStateException("the family " + name + " exists already");
        }
        if (!unit.isEmpty() && !name.endsWith("_" + unit)) {
            throw new IllegalArgumentException(name + " does not end with its unit, " + unit);
        }
        if (format == TextFormat.OPEN_METRICS) {
            line("# TYPE " + name + " " + type.name().toLowerCase(Locale.ROOT));
            if (!unit.isEmpty()) {
                line("# UNIT " + name + " " + unit);
            }
            line("# HELP " + name + " " + escaped(help));
        } else {
            line("# HELP " + name + type.suffix + " " + escapedButQuotes(help));
            line("# TYPE " + name + type.suffix + " " + type.before);
        }
        return new Family(name);
    }

    /** Ends the text, and returns all of it. */
    public String end() {
        if (format == TextFormat.OPEN_METRICS) {
            line("# EOF");
        }
        return out.toString();
    }

    /** A family of samples. Each method gets the labels of a sample as names and values in turn. */
    public final class Family {
        private final String name;

        private Family(String name) {
            this.name = name;
        }

        /** Adds the value of a gauge. */
        public Family gauge(double value, String... labels) {
            return sample("", number(value), labels);
        }

        public Family gauge(long value, String... labels) {
            return sample("", Long.toString(value), labels);
        }

        public Family total(long value, String... labels) {
            return sample("_total", Long.toString(value), labels);
        }

        /** Adds the value of a counter. */
        public Family total(double value, String... labels) {
            return sample("_total", number(value), labels);
        }

        /** Adds a sample with information in its labels. */
        public Family info(String... labels) {
            return sample("_info", "1", labels);
        }

        /** Adds the count and the sum of a summary. The unit of {@code sum} is the unit of the family. */
        public Family summary(long count, double sum, String... labels) {
            sample("_count", Long.toString(count), labels);
            return sample("_sum", number(sum), labels);
        }

        /** Adds a histogram of times in seconds. */
        public Family histogram(Times times, String... labels) {
            for (Times.Bucket bucket : times.buckets()) {
                sample("_bucket", Long.toString(bucket.count()), with(labels, "le", bucket.le()));
            }
            String count = Long.toString(times.count());
            sample("_bucket", count, with(labels, "le", "+Inf"));
            sample("_count", count, labels);
            return sample("_sum", number(times.sum()), labels);
        }

        private Family sample(String suffix, String value, String... labels) {
            out.append(name).append(suffix);
            for (int i = 0; i < labels.length; i += 2) {
                out.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
                out.append(escaped(labels[i + 1])).append('"');
            }
            line((labels.length == 0 ? " " : "} ") + value);
            return this;
        }
    }

    private static String[] with(String[] labels, String name, String value) {
        String[] more = new String[labels.length + 2];
        System.arraycopy(labels, 0, more, 0, labels.length);
        more[labels.length] = name;
        more[labels.length + 1] = value;
        return more;
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    /** Formats a number. A whole number has no decimal point, because the text is easier to read without it. */
    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    private static String escaped(String text) {
        return escapedButQuotes(text).replace("\"", "\\\"");
    }

    private static String escapedButQuotes(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n");
    }
}
