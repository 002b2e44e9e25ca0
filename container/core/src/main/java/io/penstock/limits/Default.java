package io.penstock.limits;

import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The value of a key where none is given.
 *
 * @param shown how the documentation says it
 * @param text gives the value as it would be configured; it may ask for the numbers of keys that stand earlier in {@link Key}
 * @param ofJar the value of {@code penstock.jar}, where it differs from that of an embedded server
 */
record Default(String shown, Text text, @Nullable String ofJar) {

    interface Text {
        String given(ToIntFunction<Key> earlier);
    }

    static Default fixed(String text) {
        return new Default(text, earlier -> text, null);
    }

    /** One value for {@code penstock.jar}, which newcomers expect, and one for embedded servers, which the specification asks for. */
    static Default fixed(String ofJar, String embedded) {
        return new Default(
                "`" + ofJar + "` in `penstock.jar`, `" + embedded + "` when embedded", earlier -> embedded, ofJar);
    }

    /** Depends on the machine. */
    static Default measured(String shown, Supplier<Object> value) {
        return new Default(shown, earlier -> value.get().toString(), null);
    }

    /** Depends on an earlier key. */
    static Default derived(String shown, Text text) {
        return new Default(shown, text, null);
    }
}
