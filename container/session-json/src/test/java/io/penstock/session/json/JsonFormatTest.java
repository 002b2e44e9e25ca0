package io.penstock.session.json;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.part.AttributeFormat;
import io.penstock.session.Formats;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests session attributes in the JSON format, and invalid JSON. */
class JsonFormatTest {
    private final AttributeFormat.Provider provider =
            new SessionJson().attributeFormats().get(0);
    private final AttributeFormat format = Formats.of(provider, JsonFormatTest.class.getClassLoader());

    /** A field with this type does not show the class of its object. So the JSON must contain the class. */
    private interface Item {}

    private record Apple(String kind, int weight) implements Item {}

    private record Basket(String owner, List<Item> items, Map<String, BigDecimal> prices) {}

    private enum Colour {
        RED,
        GREEN
    }

    /** A class like the classes of applications. It has fields, a private constructor, and a getter that must not be called. */
    private static final class Account {
        private final String name;
        private long visits;
        private transient String password = "secret";

        private Account() {
            this("", 0);
        }

        private Account(String name, long visits) {
            this.name = name;
            this.visits = visits;
        }

        public String getName() {
            throw new IllegalStateException("the getter must not be called");
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Account account && account.name.equals(name) && account.visits == visits;
        }

        @Override
        public int hashCode() {
            return Objects.hash(name, visits);
        }
    }

    /** An object with a reference to itself. */
    private static final class Endless {
        private Object self = this;
    }

    /** Behaves like a list that another thread changes while the list is read. */
    private static final class Disturbed extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        @Override
        public java.util.Iterator<String> iterator() {
            throw new ConcurrentModificationException();
        }

        @Override
        public int size() {
            return 3;
        }

        @Override
        public String get(int index) {
            throw new ConcurrentModificationException();
        }
    }

    private static Stream<Object> values() {
        return Stream.of(
                "text with \u0000, \ud83d\ude00 and \"quotes\"",
                1,
                2L,
                2.5f,
                (short) 3,
                'c',
                true,
                new BigDecimal("1.10"),
                UUID.fromString("6a2f41a3-c54c-fce8-32d2-0324e1c32e22"),
                Locale.CANADA_FRENCH,
                Instant.parse("2026-11-26T12:00:00.123456789Z"),
                LocalDate.of(2026, 11, 26),
                Duration.ofMinutes(3),
                Colour.GREEN,
                new ArrayList<>(List.of(1, "two", 3L, new Apple("Boskoop", 150))),
                new HashSet<>(Set.of(Colour.RED, Colour.GREEN)),
                new LinkedHashMap<>(Map.of("a", 1, "b", List.of())),
                new Apple("Gala", 130),
                new Basket("Ada", new ArrayList<>(List.of(new Apple("Gala", 130))), Map.of("Gala", BigDecimal.TEN)),
                new Account("Ada", 7));
    }

    @ParameterizedTest
    @MethodSource("values")
    void aWrittenValueIsReadBackUnchanged(Object value) throws Exception {
        Object read = format.read(format.write(value));
        assertEquals(value, read);
        assertEquals(value.getClass(), read.getClass());
    }

    @Test
    void writtenArraysAreReadBackUnchanged() throws Exception {
        assertArrayEquals(new int[] {1, 2}, (int[]) format.read(format.write(new int[] {1, 2})));
        assertArrayEquals(new byte[] {1, 2}, (byte[]) format.read(format.write(new byte[] {1, 2})));
        assertArrayEquals(new String[] {"a"}, (String[]) format.read(format.write(new String[] {"a"})));
    }

    @Test
    void transientFieldsAreNotWritten() throws Exception {
        String json = new String(format.write(new Account("Ada", 7)), StandardCharsets.UTF_8);
        assertFalse(json.contains("secret"), json);
        assertTrue(json.contains("\"name\":\"Ada\""), json);
    }

    @Test
    void equalMapsAreWrittenAsEqualBytes() throws Exception {
        Map<String, Integer> one = new HashMap<>(4);
        Map<String, Integer> other = new HashMap<>(1024);
        for (int i = 0; i < 100; i++) {
            one.put("key" + i, i);
            other.put("key" + (99 - i), 99 - i);
        }
        assertArrayEquals(format.write(one), format.write(other));
    }

    @Test
    void anUnknownFieldIsIgnored() throws Exception {
        String json = "[\"" + Account.class.getName() + "\",{\"name\":\"Ada\",\"visits\":7,\"colour\":\"RED\"}]";
        assertEquals(new Account("Ada", 7), format.read(json.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aCyclicValueCannotBeWritten() {
        assertThrows(IOException.class, () -> format.write(new Endless()));
    }

    @Test
    void aConcurrentChangeCausesAConcurrentModificationException() {
        assertThrows(ConcurrentModificationException.class, () -> format.write(new Disturbed()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "null",
                "[\"no.such.Class\",{}]",
                "[\"javax.naming.InitialContext\",{}]",
                "[\"java.io.File\",\"/etc/passwd\"]",
                "[\"java.lang.Runtime\",{}]",
                "[\"java.lang.ProcessBuilder\",{\"command\":[\"java.util.ArrayList\",[\"id\"]]}]",
                "[\"java.util.ArrayList<java.lang.Thread>\",[]]",
                "[\"java.util.ArrayList\",[[\"java.net.URLClassLoader\",{}]]]",
                "[\"[Ljava.lang.Thread;\",[]]",
                "[\"java.util.HashMap\",{\"a\":[\"java.lang.Class\",\"java.lang.Runtime\"]}]"
            })
    void hostileJsonIsRefused(String json) {
        assertThrows(IOException.class, () -> format.read(json.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void deeplyNestedJsonIsRefused() {
        String json = "[\"java.util.ArrayList\",[".repeat(100_000);
        assertThrows(IOException.class, () -> format.read(json.getBytes(StandardCharsets.UTF_8)));
    }
}
