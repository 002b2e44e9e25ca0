package io.penstock.boot.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginProvider;

/** A property begins with {@code server.penstock.}, but the rest of its name is not a configuration key. */
final class UnknownPropertyException extends RuntimeException implements OriginProvider {
    private final String name;
    private final transient @Nullable Origin origin;

    UnknownPropertyException(String name, @Nullable Origin origin) {
        super("Penstock has no key for the property " + name + (origin == null ? "" : " in " + origin));
        this.name = name;
        this.origin = origin;
    }

    String name() {
        return name;
    }

    @Override
    public @Nullable Origin getOrigin() {
        return origin;
    }
}
