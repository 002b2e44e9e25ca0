package io.penstock.limits;

import static io.penstock.limits.ValueType.TEXT;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings that one application may have: the table behind the configuration file, the command line and the documentation. A
 * setting is named by the context path, a colon and the key: {@code /shop:exclude-scan}.
 */
public enum ApplicationKey {
    EXCLUDE_INITIALIZERS(
            "exclude-initializers",
            TEXT,
            "initializers that do not run, written as in `exclude-initializers`; added to those of that key and of the application") {
        @Override
        Object parse(String text) {
            return NameList.parse(text);
        }
    },
    EXCLUDE_SCAN(
            "exclude-scan",
            TEXT,
            "libraries whose classes are not read, written as in `exclude-scan`; added to those of that key and of the application") {
        @Override
        Object parse(String text) {
            return NameList.parse(text);
        }
    },
    OVERRIDE_WEB_XML(
            "override-web-xml",
            TEXT,
            "file of a `web.xml` that is merged over the application's own: what it declares wins") {
        @Override
        Object parse(String text) {
            try {
                return Path.of((String) type().parse(text));
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException("'" + text + "' is no path: " + e.getMessage(), e);
            }
        }
    };

    private final String id;
    private final ValueType type;
    private final String meaning;

    ApplicationKey(String id, ValueType type, String meaning) {
        this.id = id;
        this.type = type;
        this.meaning = meaning;
    }

    /** The name behind the colon. */
    public String id() {
        return id;
    }

    /** The name for people, with what has to be added to it. */
    public String shown() {
        return id;
    }

    public ValueType type() {
        return type;
    }

    public String meaning() {
        return meaning;
    }

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException with a message that quotes the text and says what was expected
     */
    Object parse(String text) {
        return type.parse(text);
    }

    static Optional<ApplicationKey> named(String id) {
        for (ApplicationKey key : values()) {
            if (key.id.equals(id)) {
                return Optional.of(key);
            }
        }
        return Optional.empty();
    }
}
