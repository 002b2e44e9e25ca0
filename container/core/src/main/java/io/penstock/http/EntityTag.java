package io.penstock.http;

import org.jspecify.annotations.Nullable;

/**
 * An entity tag (RFC 9110 section 8.8.3).
 *
 * @param opaque the text between the quotes
 */
public record EntityTag(Strength strength, String opaque) {

    /** Whether equal tags mean equal bytes of the representations. */
    public enum Strength {
        STRONG,
        WEAK
    }

    public EntityTag {
        if (!opaque.chars().allMatch(EntityTag::isOpaqueChar)) {
            throw new IllegalArgumentException("an entity tag cannot hold this text");
        }
    }

    /** Parses {@code text}. Returns null if the text is not exactly one tag. */
    public static @Nullable EntityTag parse(String text) {
        int open = text.startsWith("W/") ? 2 : 0;
        if (text.length() < open + 2 || text.charAt(open) != '"' || !text.endsWith("\"")) {
            return null;
        }
        String opaque = text.substring(open + 1, text.length() - 1);
        if (!opaque.chars().allMatch(EntityTag::isOpaqueChar)) {
            return null;
        }
        return new EntityTag(open == 0 ? Strength.STRONG : Strength.WEAK, opaque);
    }

    /** The strong comparison of section 8.8.3.2. The result is true if the tags are equal and both are strong. */
    public boolean matchesStrongly(EntityTag other) {
        return strength == Strength.STRONG && other.strength == Strength.STRONG && opaque.equals(other.opaque);
    }

    /** The weak comparison of section 8.8.3.2. The result is true if the tags are equal, whether strong or weak. */
    public boolean matchesWeakly(EntityTag other) {
        return opaque.equals(other.opaque);
    }

    /** The tag as written in a field. */
    @Override
    public String toString() {
        return (strength == Strength.WEAK ? "W/\"" : "\"") + opaque + '"';
    }

    static boolean isOpaqueChar(int c) {
        return c > ' ' && c != '"' && c != 0x7F && c <= 0xFF;
    }
}
