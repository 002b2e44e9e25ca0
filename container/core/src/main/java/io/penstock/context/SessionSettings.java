package io.penstock.context;

import io.penstock.limits.ApplicationSettings.SessionRules;
import io.penstock.session.AttributeValues;
import jakarta.servlet.SessionTrackingMode;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The session configuration of an application.
 *
 * @param timeoutMinutes the minutes without a request after which a new session expires; zero or less for never
 * @param tracking the tracking modes of session ids; empty for the container's default
 * @param values the values that session attributes may have
 * @param fixed the operator's rules, which the code of the application cannot change
 */
public record SessionSettings(
        int timeoutMinutes,
        CookieSettings cookie,
        Set<SessionTrackingMode> tracking,
        AttributeValues values,
        SessionRules fixed) {

    public SessionSettings {
        tracking = Set.copyOf(tracking);
    }

    public static SessionSettings defaults() {
        return new SessionSettings(30, CookieSettings.defaults(), Set.of(), AttributeValues.ANY, SessionRules.NONE);
    }

    /** These settings with another time-out. */
    public SessionSettings withTimeout(int minutes) {
        return new SessionSettings(minutes, cookie, tracking, values, fixed);
    }

    /** These settings, with the values of the rules. The application may change them. */
    public SessionSettings with(SessionRules rules) {
        return new SessionSettings(
                rules.minutes() == null ? timeoutMinutes : rules.minutes().value(),
                cookie.with(rules),
                rules.tracking() == null ? tracking : modes(rules.tracking().value()),
                values,
                fixed);
    }

    private static Set<SessionTrackingMode> modes(SessionRules.Tracking tracking) {
        return tracking.modes().stream().map(SessionTrackingMode::valueOf).collect(Collectors.toSet());
    }

    /** These settings, with the values of the rules. The code of the application cannot change them. */
    public SessionSettings fixed(SessionRules rules) {
        SessionSettings changed = with(rules);
        return new SessionSettings(changed.timeoutMinutes, changed.cookie, changed.tracking, values, rules);
    }
}
