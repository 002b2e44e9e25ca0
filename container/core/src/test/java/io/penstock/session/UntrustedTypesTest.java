package io.penstock.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Tests the deserialization of attributes. Only classes of the application and classes for plain data can be deserialized. The code of all
 * other classes must not run.
 */
final class UntrustedTypesTest {
    private static final AtomicInteger DESERIALIZATIONS = new AtomicInteger();

    private final AttributeSerializer ofApplication = serializer(UntrustedTypesTest.class.getClassLoader());

    /** The serializer of another application. This serializer cannot load the classes of this test. */
    private final AttributeSerializer ofAnother = serializer(ClassLoader.getPlatformClassLoader());

    private static AttributeSerializer serializer(ClassLoader loader) {
        return new AttributeSerializer(Formats.of(null, loader), () -> {});
    }

    /** A class of the application that counts its deserializations. */
    private static final class ApplicationClass implements Serializable {
        private static final long serialVersionUID = 1L;
        private final String text;

        ApplicationClass(String text) {
            this.text = text;
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            DESERIALIZATIONS.incrementAndGet();
            in.defaultReadObject();
        }
    }

    private record Point(int x, int y) implements Serializable {}

    /** A class that needs a missing class when it is serialized. */
    private static final class Unlinked implements Serializable {
        private static final long serialVersionUID = 1L;

        private void writeObject(ObjectOutputStream out) {
            throw new NoClassDefFoundError("org/example/Missing");
        }
    }

    private static Object[] deep(int depth) {
        Object[] inner = new Object[1];
        for (int i = 0; i < depth; i++) {
            inner = new Object[] {inner};
        }
        return inner;
    }

    private Map<String, Object> read(AttributeSerializer reader, Map<String, Object> attributes) {
        Map<String, Object> read = new HashMap<>();
        ofApplication.write(attributes).bytes().forEach((name, bytes) -> {
            Object value = reader.read(name, bytes);
            if (value != null) {
                read.put(name, value);
            }
        });
        return read;
    }

    @Test
    void classesOfTheApplicationCanBeDeserialized() {
        ApplicationClass[] many = {new ApplicationClass("y")};
        Map<String, Object> read =
                read(ofApplication, Map.of("own", new ApplicationClass("x"), "point", new Point(1, 2), "many", many));
        assertEquals("x", ((ApplicationClass) read.get("own")).text);
        assertEquals(new Point(1, 2), read.get("point"));
        assertEquals("y", ((ApplicationClass[]) read.get("many"))[0].text);
    }

    @Test
    void classesForPlainDataCanBeDeserialized() {
        Map<String, Object> attributes = new LinkedHashMap<>();
        List<Object> values = List.of(
                "text",
                1,
                2L,
                3.0,
                'c',
                true,
                new int[0].length,
                new BigDecimal("1.5"),
                Instant.EPOCH,
                LocalDate.EPOCH,
                ZonedDateTime.parse("2026-01-01T00:00:00+01:00[Europe/Berlin]"),
                new Date(0),
                Locale.GERMANY,
                Currency.getInstance("EUR"),
                UUID.fromString("00000000-0000-0001-0000-000000000002"),
                URI.create("http://example.test/"),
                TimeUnit.DAYS,
                List.of(1),
                List.of(1, 2, 3),
                Set.of("a", "b", "c"),
                Map.of("a", 1, "b", 2, "c", 3),
                new ArrayList<>(List.of(1)),
                new LinkedList<>(List.of(1)),
                new TreeMap<>(Map.of("a", 1)),
                new LinkedHashSet<>(List.of(1)),
                new ConcurrentHashMap<>(Map.of("a", 1)),
                new CopyOnWriteArrayList<>(List.of(1)),
                Collections.unmodifiableList(new ArrayList<>(List.of(1))),
                Collections.singletonMap("a", 1),
                EnumSet.of(TimeUnit.DAYS),
                new EnumMap<>(Map.of(TimeUnit.DAYS, 1)));
        for (int i = 0; i < values.size(); i++) {
            attributes.put("v" + i, values.get(i));
        }
        assertEquals(attributes, read(ofApplication, attributes));
        assertEquals(attributes, read(ofAnother, attributes));
        assertEquals(
                5, ((AtomicLong) read(ofAnother, Map.of("n", new AtomicLong(5))).get("n")).get());
    }

    @Test
    void onlyTheAttributeWithAnUnknownClassIsOmitted() {
        DESERIALIZATIONS.set(0);
        assertEquals(Map.of("name", "Ada"), read(ofAnother, Map.of("own", new ApplicationClass("x"), "name", "Ada")));
        assertEquals(0, DESERIALIZATIONS.get());
    }

    /** With Boot's devtools, a program's own classes have a child of the class loader of its libraries and of the server. */
    @Test
    void classesOfTheLibrariesOfAProgramCanBeDeserialized() throws Exception {
        Map<String, Object> attributes = Map.of("point", new Point(1, 2));
        try (URLClassLoader program = new URLClassLoader(new URL[0], UntrustedTypesTest.class.getClassLoader())) {
            assertEquals(attributes, read(serializer(program), attributes));
        }
    }

    @Test
    void jdkClassesAreRejectedIfTheyAreNotForPlainData() throws Exception {
        InvocationHandler handler = (InvocationHandler & Serializable) (proxy, method, args) -> null;
        Object proxy = Proxy.newProxyInstance(
                UntrustedTypesTest.class.getClassLoader(), new Class<?>[] {Comparable.class}, handler);
        Map<String, Object> attributes = Map.of(
                "queue",
                new PriorityQueue<>(List.of(1)),
                "url",
                new URL("http://example.test/"),
                "proxy",
                proxy,
                "lambda",
                (Comparable<String> & Serializable) other -> 0,
                "inside",
                new ArrayList<>(List.of(new PriorityQueue<>(List.of(1)))),
                "name",
                "Ada");
        assertEquals(Map.of("name", "Ada"), read(ofApplication, attributes));
    }

    @Test
    void anAttributeWithTooManyNestedObjectsIsRejected() {
        assertEquals(Map.of("name", "Ada"), read(ofApplication, Map.of("deep", deep(5_000), "name", "Ada")));
    }

    @Test
    void anAttributeWithInvalidBytesIsReadAsNull() {
        byte[] whole = bytes("b");
        for (int length = 0; length < whole.length; length++) {
            assertNull(ofApplication.read("cut", Arrays.copyOf(whole, length)), "bytes truncated to length " + length);
        }
        assertNull(ofApplication.read("other", new byte[] {9}));
    }

    private byte[] bytes(Object value) {
        return ofApplication.write(Map.of("name", value)).bytes().get("name");
    }

    @Test
    void equalAttributesAreSerializedToEqualBytes() {
        assertArrayEquals(bytes(List.of(1, "a")), bytes(List.of(1, "a")));
        assertArrayEquals(bytes(new ApplicationClass("x")), bytes(new ApplicationClass("x")));
    }

    @Test
    void anAttributeIsOmittedIfItCannotBeSerialized() {
        Map<String, Object> read = read(ofApplication, Map.of("thread", Thread.currentThread(), "name", "Ada"));
        assertNull(read.get("thread"));
        assertTrue(read.containsKey("name"));
    }

    @Test
    void anAttributeIsOmittedIfAClassIsMissingAtItsSerialization() {
        Map<String, Object> read = read(ofApplication, Map.of("unlinked", new Unlinked(), "name", "Ada"));
        assertEquals(Map.of("name", "Ada"), read);
    }
}
