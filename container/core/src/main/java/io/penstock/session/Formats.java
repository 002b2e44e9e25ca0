package io.penstock.session;

import io.penstock.part.AttributeFormat;
import org.jspecify.annotations.Nullable;

/**
 * Makes the format for the session attributes of an application. All formats may read only the classes in {@code TrustedTypes}. Thread:
 * any.
 */
public final class Formats {
    /** The value of {@code session-format} for Java's serialization. */
    public static final String JAVA = "java";

    private Formats() {}

    /**
     * The format for the attributes of one application.
     *
     * @param chosen the format of an optional library; null for Java's serialization
     * @param loader the class loader of the application; attributes may be objects of the application's classes
     */
    public static AttributeFormat of(AttributeFormat.@Nullable Provider chosen, ClassLoader loader) {
        TrustedTypes types = new TrustedTypes(loader);
        return chosen == null ? new JavaFormat(types) : chosen.of(types);
    }
}
