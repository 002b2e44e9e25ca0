package io.penstock.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.limits.ServerConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UrlEncodedFormTest {

    private static Map<String, List<String>> parse(String encoded, Charset charset) throws Violation {
        FormParser parser = new FormParser(ServerConfig.defaults().parameters(), TightForms.memory());
        parser.parse(encoded, charset);
        return parser.parameters();
    }

    @Test
    void parametersKeepTheirOrderAndAllTheirValues() throws Violation {
        Map<String, List<String>> parameters = parse("b=1&a=2&b=3&c&d=&=e&&f==", UTF_8);
        assertEquals("{b=[1, 3], a=[2], c=[], d=[], =[e], f=[=]}", parameters.toString());
        assertEquals(List.of(""), parameters.get("c"));
    }

    @Test
    void aPlusIsReadAsASpaceAndPercentEscapesAreDecodedWithTheCharset() throws Violation {
        assertEquals(Map.of("a b", List.of("+ \u20ac")), parse("a+b=%2B+%e2%82%AC", UTF_8));
        assertEquals(Map.of("n", List.of("\u00fc")), parse("n=%FC", ISO_8859_1));
        assertEquals(Map.of("n", List.of("\u3042")), parse("n=%82%A0", Charset.forName("Shift_JIS")));
    }

    @Test
    void unencodedOctetsAreDecodedWithTheCharset() throws IOException, Violation {
        FormParser parser = new FormParser(ServerConfig.defaults().parameters(), TightForms.memory());
        byte[] body = "a=f\u00fc".getBytes(UTF_8);
        parser.parse(new ByteArrayInputStream(body), UTF_8);
        assertEquals(Map.of("a", List.of("f\u00fc")), parser.parameters());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a=%",
                "a=%2",
                "a=%zz",
                "a=%2&b=0",
                "%=b",
                "a=%-1",
                "a=%FC",
                "a=%C0%AF",
                "a=%ED%A0%80",
                "a=\u20ac"
            })
    void invalidPercentEscapesAndInvalidOctetsAreRefused(String encoded) {
        assertEquals(
                400, assertThrows(Violation.class, () -> parse(encoded, UTF_8)).status());
    }

    @Test
    void theLimitOnParametersAppliesToTheQueryAndTheBodyTogether() throws Violation {
        FormParser parser = new FormParser(TightForms.limits(3, 100), TightForms.memory());
        parser.parse("a=1&b=2", UTF_8);
        parser.add("c", "3");
        assertEquals(
                400,
                assertThrows(Violation.class, () -> parser.parse("d=4", UTF_8)).status());
        assertEquals(List.of("a", "b", "c"), List.copyOf(parser.parameters().keySet()));
    }

    @Test
    void aBodyThatExceedsTheByteLimitIsRefused() throws IOException, Violation {
        FormParser exact = new FormParser(TightForms.limits(10, 5), TightForms.memory());
        exact.parse(new ByteArrayInputStream("a=123".getBytes(US_ASCII)), UTF_8);
        assertEquals(Map.of("a", List.of("123")), exact.parameters());

        FormParser over = new FormParser(TightForms.limits(10, 5), TightForms.memory());
        ByteArrayInputStream body = new ByteArrayInputStream("a=1234".getBytes(US_ASCII));
        assertEquals(
                413,
                assertThrows(Violation.class, () -> over.parse(body, UTF_8)).status());
    }
}
