package io.penstock.boot;

import io.penstock.Context;

/**
 * Changes the web application after all properties, before its initializers run. A bean of this type is used by the application's server,
 * not by that of a management port.
 */
@FunctionalInterface
public interface PenstockContextCustomizer {
    void customize(Context context);
}
