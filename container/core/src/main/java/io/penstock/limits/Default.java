package io.penstock.limits;

import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * The value a key has when nobody gives one.
 *
 * @param shown how the documentation says it
 * @param text gives the value as it would be configured; it may ask for the numbers of keys that stand earlier in {@link Key}
 */
record Default(String shown, Text text) {

    interface Text {
        String given(ToIntFunction<Key> earlier);
    }

    static Default fixed(String text) {
        return new Default(text, earlier -> text);
    }

    /** Depends on the machine. */
    static Default measured(String shown, Supplier<Object> value) {
        return new Default(shown, earlier -> value.get().toString());
    }

    /** Depends on an earlier key. */
    static Default derived(String shown, Text text) {
        return new Default(shown, text);
    }
}
