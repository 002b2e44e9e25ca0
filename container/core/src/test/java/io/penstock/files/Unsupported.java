package io.penstock.files;

import java.lang.reflect.Proxy;

/** Creates objects whose methods all throw an exception. A fake wraps such an object, and overrides the methods that the test needs. */
final class Unsupported {
    private Unsupported() {}

    static <T> T of(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            throw new UnsupportedOperationException(method.toString());
        }));
    }
}
