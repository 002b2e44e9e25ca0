package io.penstock.soak;

import org.jspecify.annotations.Nullable;

/**
 * The unique token of a request. It consists of two letters and sixteen hexadecimal digits, so a token can be recognized anywhere in an
 * answer.
 */
final class Token {
    static final String PREFIX = "tk";
    static final int DIGITS = 16;

    private Token() {}

    /** Returns a different token for every number. Similar numbers have very different tokens. */
    static String of(long number) {
        String digits = Long.toHexString(mixed(number));
        return PREFIX + "0".repeat(DIGITS - digits.length()) + digits;
    }

    /**
     * Maps each number to a different number. This is the last step of SplitMix64: multiplications by odd numbers and these shifts are
     * reversible.
     */
    private static long mixed(long number) {
        long z = (number + 1) * 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** Finds tokens in a stream of single bytes. */
    static final class Scanner {
        private final StringBuilder found = new StringBuilder(PREFIX.length() + DIGITS);

        /** Returns the token that ends with this byte, or null. */
        @Nullable
        String accept(byte next) {
            char c = (char) (next & 0xff);
            int length = found.length();
            boolean goesOn = length < PREFIX.length()
                    ? c == PREFIX.charAt(length)
                    : c >= '0' && c <= '9' || c >= 'a' && c <= 'f';
            if (!goesOn) {
                found.setLength(0);
                if (c == PREFIX.charAt(0)) {
                    found.append(c);
                }
                return null;
            }
            found.append(c);
            if (found.length() < PREFIX.length() + DIGITS) {
                return null;
            }
            String token = found.toString();
            found.setLength(0);
            return token;
        }
    }
}
