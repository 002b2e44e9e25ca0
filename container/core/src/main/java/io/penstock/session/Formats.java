package io.penstock.session;

import io.penstock.part.AttributeFormat;
import org.jspecify.annotations.Nullable;

/** The format of attributes that is built in, and the types that all formats may read. Thread: any. */
public final class Formats {
    /** The value of {@code session-format} for Java's serialization. */
    public static final String JAVA = "java";

    private Formats() {}

    /**
     * The format for the attributes of one application.
     *
     * @param chosen the format of an optional library; null for Java's serialization
     * @param loader of the application; attributes may be objects of its classes
     */
    public static AttributeFormat of(AttributeFormat.@Nullable Provider chosen, ClassLoader loader) {
        TrustedTypes types = new TrustedTypes(loader);
        return chosen == null ? new JavaFormat(types) : chosen.of(types);
    }
}
