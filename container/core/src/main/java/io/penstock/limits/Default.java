package io.penstock.limits;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The default value of a key.
 *
 * @param shown the text for the documentation
 * @param text supplies the default value as text. The supplier can read the values of keys that are declared earlier in {@link Key}
 * @param ofJar the default of {@code penstock.jar} if it differs from the default of an embedded server; otherwise null
 */
record Default(String shown, Text text, @Nullable String ofJar) {

    interface Text {
        String given(Earlier earlier);
    }

    /** The values of the keys that are declared earlier in {@link Key}. */
    interface Earlier {
        Object value(Key key);

        default int number(Key key) {
            return (Integer) value(key);
        }
    }

    static Default fixed(String text) {
        return new Default(text, earlier -> text, null);
    }

    /**
     * Two defaults for one key. {@code penstock.jar} has a default that suits new users. An embedded server has the default that the
     * Servlet specification requires.
     */
    static Default fixed(String ofJar, String embedded) {
        return new Default(
                "`" + ofJar + "` in `penstock.jar`, `" + embedded + "` when embedded", earlier -> embedded, ofJar);
    }

    /** A default that depends on the machine. */
    static Default measured(String shown, Supplier<Object> value) {
        return new Default(shown, earlier -> value.get().toString(), null);
    }

    /** A default that depends on an earlier key. */
    static Default derived(String shown, Text text) {
        return new Default(shown, text, null);
    }
}
