package io.penstock.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.metrics.OpenMetrics.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Tests that for every value of a label, the sample is one line and the value can be read from the line again. */
class LabelFuzzTest {
    private static final String BEFORE = "a{label=\"";
    private static final String AFTER = "\"} 1";

    @FuzzTest
    void theOriginalLabelCanBeReadFromTheSample(byte[] data) {
        String label = new String(data, StandardCharsets.UTF_8);
        for (TextFormat format : TextFormat.values()) {
            OpenMetrics out = new OpenMetrics(format);
            out.family("a", Type.GAUGE, "", label).gauge(1, "label", label);
            List<String> lines = List.of(out.end().split("\n", -1));
            // The list ends with the empty text after the last line end.
            assertEquals(format == TextFormat.OPEN_METRICS ? 5 : 4, lines.size(), lines::toString);
            String sample = lines.get(2);
            assertEquals(BEFORE, sample.substring(0, BEFORE.length()));
            assertEquals(AFTER, sample.substring(sample.length() - AFTER.length()));
            assertEquals(label, unescaped(sample.substring(BEFORE.length(), sample.length() - AFTER.length())));
        }
    }

    /** Removes the escapes of the format: a backslash before a backslash, a quote, or an n. */
    private static String unescaped(String written) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < written.length(); i++) {
            char c = written.charAt(i);
            if (c == '"') {
                throw new AssertionError("a quote without escape: " + written);
            }
            if (c == '\\') {
                i++;
                c = switch (written.charAt(i)) {
                    case 'n' -> '\n';
                    case '"', '\\' -> written.charAt(i);
                    default -> throw new AssertionError("unknown escape: " + written);
                };
            }
            text.append(c);
        }
        return text.toString();
    }
}
