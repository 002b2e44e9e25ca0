package io.penstock.environment;

import org.jspecify.annotations.Nullable;

/**
 * A name that an application uses for a resource: a {@code resource-ref} or its like, an entry without a value of its own, or
 * {@code @Resource}.
 *
 * @param name relative to {@code java:comp/env} unless it begins with {@code java:}
 * @param type binary name of the class that is wanted, or null where it is not said
 * @param lookup the name that this one stands for, or null where it stands for itself
 * @param at where it is declared, for messages
 */
@SuppressWarnings("exports") // who compiles against this needs no annotation for null
public record Reference(
        String name, @Nullable String type, @Nullable String lookup, String at) {}
