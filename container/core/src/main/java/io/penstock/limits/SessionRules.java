package io.penstock.limits;

import org.jspecify.annotations.Nullable;

/**
 * The operator's rules for the time-out and the cookie of sessions. There are two sets of rules: those for all applications, which an
 * application may change, and those for one application, which it cannot change. If a value is null, the operator has no rule.
 *
 * @param minutes the minutes without a request after which a session expires; 0 for never
 * @param cookieName the name of the cookie
 * @param cookiePath the path of the cookie, as in a URL
 * @param sameSite the attribute {@code SameSite} of the cookie: {@code Lax}, {@code Strict} or {@code None}
 */
public record SessionRules(
        @Nullable Given<Integer> minutes,
        @Nullable Given<String> cookieName,
        @Nullable Given<String> cookiePath,
        @Nullable Given<String> sameSite) {

    public static final SessionRules NONE = new SessionRules(null, null, null, null);

    /** Whether there is no rule. The start of an application calls this method, and {@code equals} of a record would make it slower. */
    public boolean isEmpty() {
        return minutes == null && cookieName == null && cookiePath == null && sameSite == null;
    }
}
