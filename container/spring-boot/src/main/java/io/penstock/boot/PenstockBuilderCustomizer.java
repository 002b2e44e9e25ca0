package io.penstock.boot;

import io.penstock.Penstock;

/**
 * Changes the builder of the server after all properties are applied. A bean of this type changes the application's server. It does not
 * change the server of a management port.
 */
@FunctionalInterface
public interface PenstockBuilderCustomizer {
    void customize(Penstock.Builder builder);
}
