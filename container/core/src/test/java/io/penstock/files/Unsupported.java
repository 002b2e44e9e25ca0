package io.penstock.files;

import java.lang.reflect.Proxy;

/** Makes the base object of a fake. Each method that the fake does not override throws an exception. */
final class Unsupported {
    private Unsupported() {}

    static <T> T of(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            throw new UnsupportedOperationException(method.toString());
        }));
    }
}
