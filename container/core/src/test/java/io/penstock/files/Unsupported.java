package io.penstock.files;

import java.lang.reflect.Proxy;

/** Stands behind a hand-made fake: whatever the fake does not answer itself is an error in the test. */
final class Unsupported {
    private Unsupported() {}

    static <T> T of(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            throw new UnsupportedOperationException(method.toString());
        }));
    }
}
