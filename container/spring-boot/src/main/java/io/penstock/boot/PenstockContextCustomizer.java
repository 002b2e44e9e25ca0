package io.penstock.boot;

import io.penstock.Context;

/**
 * Changes the web application after all properties are applied, and before its initializers run. A bean of this type changes the
 * application's server. It does not change the server of a management port.
 */
@FunctionalInterface
public interface PenstockContextCustomizer {
    void customize(Context context);
}
