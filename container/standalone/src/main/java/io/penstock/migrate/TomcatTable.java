package io.penstock.migrate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The table {@code tomcat.table}: what becomes of each element and attribute. The file explains its syntax. Immutable. */
final class TomcatTable {
    /** The attribute that stands for the element itself. */
    static final String ITSELF = "<>";

    static final TomcatTable TABLE = read();

    private static final String ANY = "*";

    /**
     * The class or type of an element that does not name one. An element with this name is of several kinds, which have lines of their
     * own.
     */
    private static final Map<String, String> KINDS = Map.ofEntries(
            Map.entry("Valve", ""),
            Map.entry("Listener", ""),
            Map.entry("Realm", ""),
            Map.entry("Store", ""),
            Map.entry("UpgradeProtocol", ""),
            Map.entry("Manager", "StandardManager"),
            Map.entry("Executor", "StandardThreadExecutor"),
            Map.entry("Resources", "StandardRoot"),
            Map.entry("Loader", "WebappLoader"),
            Map.entry("JarScanner", "StandardJarScanner"),
            Map.entry("JarScanFilter", "StandardJarScanFilter"),
            Map.entry("CookieProcessor", "Rfc6265CookieProcessor"),
            Map.entry("SessionIdGenerator", "StandardSessionIdGenerator"),
            Map.entry("CredentialHandler", "MessageDigestCredentialHandler"),
            Map.entry("Cluster", "SimpleTcpCluster"));

    /** How a line of the table answers. */
    enum Sign {
        KEY('='),
        KEY_OF_APPLICATION('@'),
        CODE(':'),
        DEPENDS('?'),
        NOT_NEEDED('-'),
        NOT_POSSIBLE('!');

        private final char written;

        Sign(char written) {
            this.written = written;
        }

        private static Sign of(char written) {
            for (Sign sign : values()) {
                if (sign.written == written) {
                    return sign;
                }
            }
            throw new IllegalStateException("no sign of the table: " + written);
        }
    }

    /** The answer for one attribute, or for an element. */
    record Answer(Sign sign, String text) {
        /** The answer for this value: the answer itself, unless it depends on the value. */
        Answer of(String value) {
            if (sign != Sign.DEPENDS) {
                return this;
            }
            String[] parts = text.split("\\|");
            boolean fits = List.of(parts[0].strip().split(",")).contains(value);
            return new Answer(fits ? Sign.NOT_NEEDED : Sign.NOT_POSSIBLE, parts[fits ? 1 : 2].strip());
        }
    }

    /** The answers of each kind of element, by attribute. The order is that of the file. */
    private final Map<String, List<Map.Entry<String, Answer>>> answers = new HashMap<>();

    private static TomcatTable read() {
        try (InputStream in = TomcatTable.class.getResourceAsStream("tomcat.table")) {
            return new TomcatTable(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    TomcatTable(String text) {
        text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(this::add);
    }

    private void add(String line) {
        String[] columns = line.split("  ", 3);
        Answer answer = new Answer(
                Sign.of(columns[2].charAt(0)), columns[2].substring(1).strip());
        for (String kind : columns[0].split(",")) {
            for (String attribute : columns[1].split(",")) {
                answers.computeIfAbsent(kind, unused -> new ArrayList<>()).add(Map.entry(attribute, answer));
            }
        }
    }

    /** The kind of an element: its name, and a colon and the last part of its class or type if there are several kinds. */
    static String kind(XmlElement element) {
        String type = element.name().equals("Resource") ? element.get("type", "") : element.get("className", "");
        if (element.name().equals("Resource")) {
            return "Resource:" + simple(type);
        }
        String byDefault = KINDS.get(element.name());
        return byDefault == null ? element.name() : element.name() + ":" + (type.isEmpty() ? byDefault : simple(type));
    }

    /** The part of the name of a class after the last dot. */
    static String simple(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }

    /**
     * The answer for the element itself. If the table does not have this kind, the answer is that for all elements of the name, unless the
     * class is one of Tomcat, which a newer version may have added.
     *
     * @return null if the element is unknown
     */
    @Nullable
    Answer element(String kind, String className) {
        Answer own = attribute(kind, ITSELF);
        int colon = kind.indexOf(':');
        boolean ofTomcat = className.isEmpty() || className.startsWith("org.apache.");
        return own != null || colon < 0 || ofTomcat && !kind.startsWith("Resource:")
                ? own
                : attribute(kind.substring(0, colon), ITSELF);
    }

    /** The answer for an attribute; null if it is unknown. */
    @Nullable
    Answer attribute(String kind, String attribute) {
        for (Map.Entry<String, Answer> entry : answers.getOrDefault(kind, List.of())) {
            String name = entry.getKey();
            boolean fits = name.endsWith(ANY) && !attribute.equals(ITSELF)
                    ? attribute.startsWith(name.substring(0, name.length() - 1))
                    : name.equals(attribute);
            if (fits) {
                return entry.getValue();
            }
        }
        return null;
    }

    /** All kinds and the answers for their attributes, for tests. */
    Map<String, List<Map.Entry<String, Answer>>> answers() {
        return answers;
    }
}
