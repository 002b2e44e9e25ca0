package io.penstock.environment;

import org.jspecify.annotations.Nullable;

/**
 * A name that an application uses for a resource. The name comes from a {@code resource-ref} or a similar element, from an {@code
 * env-entry} without a value, or from {@code @Resource}.
 *
 * @param name the name, relative to {@code java:comp/env} unless it begins with {@code java:}
 * @param type the binary name of the required class, or null if no type is declared
 * @param lookup the other name that this reference refers to; null if it does not refer to another name
 * @param at the location of the declaration, for messages
 */
@SuppressWarnings("exports") // programs that compile against this class do not need the null annotations
public record Reference(
        String name, @Nullable String type, @Nullable String lookup, String at) {}
