package io.penstock.context;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.lang.reflect.Proxy;

/** A request and a response whose methods all throw an exception. */
final class Nothing {
    static final ServletRequest REQUEST = of(ServletRequest.class);
    static final ServletResponse RESPONSE = of(ServletResponse.class);

    private Nothing() {}

    private static <T> T of(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(Nothing.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
                    throw new UnsupportedOperationException(method.getName());
                }));
    }
}
