package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http.DecidingFields.Name;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@link DecidingFields} records which deciding fields a request has. These fields, such as Host and Content-Length, determine how the
 * server reads and answers the request.
 */
class DecidingFieldsTest {

    /**
     * Returns two objects for the same field names. The first is made from the bytes of a request head, and the second from a list of
     * fields.
     */
    private static List<DecidingFields> found(String... names) {
        DecidingFields parsed = new DecidingFields();
        FieldList composed = new FieldList();
        StringBuilder head = new StringBuilder();
        for (String name : names) {
            int start = head.length();
            head.append(name);
            byte[] in = head.append(": value\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
            parsed.look(in, start, start + name.length());
            composed.add(name, "value");
        }
        return List.of(parsed, DecidingFields.of(composed));
    }

    private static String fieldName(Name name) {
        return name.name().replace('_', '-');
    }

    @ParameterizedTest
    @EnumSource
    void eachDecidingFieldIsFoundInUpperCaseAndInLowerCase(Name name) {
        String upper = fieldName(name);
        for (String spelled : List.of(
                upper, upper.toLowerCase(), upper.charAt(0) + upper.substring(1).toLowerCase())) {
            for (DecidingFields found : found("Accept", spelled)) {
                assertTrue(found.has(name), spelled);
                assertFalse(found.isRepeated(name), spelled);
                assertEquals(
                        List.of(name),
                        Arrays.stream(Name.values()).filter(found::has).toList());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDecidingFieldOnSeveralLinesIsReportedAsRepeated(Name name) {
        for (DecidingFields found : found("Accept", fieldName(name), "Range", fieldName(name), fieldName(name))) {
            assertTrue(found.has(name));
            assertEquals(
                    List.of(name),
                    Arrays.stream(Name.values()).filter(found::isRepeated).toList());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Hos", "Hosts", "Hose", "Cooki3", "Except", "Content-Lengtj", "Content_Length", "X"})
    void aFieldWithASimilarNameIsNotADecidingField(String other) {
        for (DecidingFields found : found(other)) {
            assertEquals(
                    List.of(), Arrays.stream(Name.values()).filter(found::has).toList());
        }
    }

    @Test
    void noDecidingFieldIsFoundIfTheHeadHasNoFields() {
        for (DecidingFields found : found()) {
            for (Name name : Name.values()) {
                assertFalse(found.has(name));
                assertFalse(found.isRepeated(name));
            }
        }
    }
}
