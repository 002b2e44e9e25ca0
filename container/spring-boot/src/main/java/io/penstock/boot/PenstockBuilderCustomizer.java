package io.penstock.boot;

import io.penstock.Penstock;

/**
 * Changes the builder of the server after all properties. A bean of this type is used by the application's server, not by that of a
 * management port.
 */
@FunctionalInterface
public interface PenstockBuilderCustomizer {
    void customize(Penstock.Builder builder);
}
