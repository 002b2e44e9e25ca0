package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.limits.ParameterLimits;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fuzz test for forms. An ampersand must always separate two parameters. The number of parameters must not exceed the limit. If the
 * parameters are written and read again, the result must be the same.
 */
class FormFuzzTest {
    private static final ParameterLimits LIMITS = TightForms.limits(20, 1 << 20);

    private static @Nullable Map<String, List<String>> read(String... texts) {
        FormParser parser = new FormParser(LIMITS, TightForms.memory());
        try {
            for (String text : texts) {
                parser.parse(text, StandardCharsets.UTF_8);
            }
        } catch (Violation refused) {
            assertEquals(400, refused.status());
            return null;
        }
        return parser.parameters();
    }

    @FuzzTest
    void anAmpersandAlwaysEndsAParameter(byte[] data) {
        String text = new String(data, StandardCharsets.ISO_8859_1);
        for (int at = 0; at <= text.length(); at += 1 + text.length() / 20) {
            String before = text.substring(0, at);
            String behind = text.substring(at);
            assertEquals(read(before, behind), read(before + "&" + behind));
        }
        Map<String, List<String>> parameters = read(text);
        if (parameters == null) {
            return;
        }
        List<String> pairs = new ArrayList<>();
        parameters.forEach(
                (name, values) -> values.forEach(value -> pairs.add(URLEncoder.encode(name, StandardCharsets.UTF_8)
                        + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8))));
        assertTrue(pairs.size() <= LIMITS.parameters());
        assertEquals(parameters, read(String.join("&", pairs)));
    }
}
