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

    /** @param path the decoded path; null if it is not known; then only a rule for all paths matches */
    boolean matches(@Nullable String path) {
        if (path == null) {
            return pattern.kind() == MatchKind.PATH && pattern.key().isEmpty() && !fingerprinted;
        }
        return pattern.covers(path) && (!fingerprinted || hasFingerprint(path));
    }

    /**
     * Whether the file name has a fingerprint: a part of at least eight characters between a dot or hyphen and the extension. The part
     * has both letters and digits and nothing else, as in {@code app.3f9a1c2b.js} and {@code main-5XJ2K3QW.min.css}. A word or a date is
     * no fingerprint: if a file counted as fingerprinted by mistake, clients would not ask for it again when it has changed.
     */
    static boolean hasFingerprint(String path) {
        int begin = path.lastIndexOf('/') + 1;
        int extension = path.lastIndexOf('.');
        int part = partEnd(path, begin) + 1; // the first part is the name itself
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
