package io.penstock.soak;

import org.jspecify.annotations.Nullable;

/**
 * The unique token of a request. A token consists of the two letters "tk" and sixteen hexadecimal digits. So a token can be recognized
 * anywhere in a response.
 */
final class Token {
    static final String PREFIX = "tk";
    static final int DIGITS = 16;

    private Token() {}

    /** Returns a different token for every number. */
    static String of(long number) {
        String digits = Long.toHexString(mixed(number));
        return PREFIX + "0".repeat(DIGITS - digits.length()) + digits;
    }

    /** The last step of SplitMix64. Its multiplications and shifts are reversible, so different numbers have different results. */
    private static long mixed(long number) {
        long z = (number + 1) * 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** Finds tokens in a stream of single bytes. */
    static final class Scanner {
        private final StringBuilder found = new StringBuilder(PREFIX.length() + DIGITS);

        /** Reads the next byte. Returns the token that ends with this byte, or null if no token ends here. */
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
