package io.penstock.rules;

import io.penstock.mapping.MatchKind;
import io.penstock.mapping.UrlPattern;
import org.jspecify.annotations.Nullable;

/**
 * The paths of one rule.
 *
 * @param pattern a pattern for whole paths, with the context path
 * @param fingerprinted whether the file name must also contain a fingerprint
 */
record PathRule(UrlPattern pattern, boolean fingerprinted) {

    /** @param path the decoded path; null if the path is not known. Null matches only a rule for all paths */
    boolean matches(@Nullable String path) {
        if (path == null) {
            return pattern.kind() == MatchKind.PATH && pattern.key().isEmpty() && !fingerprinted;
        }
        return pattern.covers(path) && (!fingerprinted || hasFingerprint(path));
    }

    /**
     * Whether the file name has a fingerprint: a part of at least eight characters before the extension, after a dot or a hyphen. The part
     * has letters and digits, at least one of each, and no other characters, as in {@code app.3f9a1c2b.js} and {@code
     * main-5XJ2K3QW.min.css}. A word or a date is no fingerprint. If this method returned true for other files, clients would not request
     * such a file again after a change.
     */
    static boolean hasFingerprint(String path) {
        int begin = path.lastIndexOf('/') + 1;
        int extension = path.lastIndexOf('.');
        // The first part of the file name cannot be a fingerprint.
        int part = partEnd(path, begin) + 1;
        while (part <= extension) {
            int end = partEnd(path, part);
            if (isFingerprint(path, part, end)) {
                return true;
            }
            part = end + 1;
        }
        return false;
    }

    private static int partEnd(String path, int from) {
        int end = from;
        while (end < path.length() && path.charAt(end) != '.' && path.charAt(end) != '-') {
            end++;
        }
        return end;
    }

    private static boolean isFingerprint(String path, int from, int end) {
        int letters = 0;
        int digits = 0;
        for (int i = from; i < end; i++) {
            char c = path.charAt(i);
            if (c >= '0' && c <= '9') {
                digits++;
            } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
                letters++;
            } else {
                return false;
            }
        }
        return letters > 0 && digits > 0 && letters + digits >= 8;
    }
}
