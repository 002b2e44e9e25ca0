package io.penstock.context;

import io.penstock.session.AttributeValues;
import jakarta.servlet.SessionTrackingMode;
import java.util.Set;

/**
 * Sessions as the descriptor configures them.
 *
 * @param timeoutMinutes minutes between requests that a new session lives; zero or less: for ever
 * @param tracking how session ids travel; empty for the container's default
 * @param values what attributes may be
 */
public record SessionSettings(
        int timeoutMinutes, CookieSettings cookie, Set<SessionTrackingMode> tracking, AttributeValues values) {

    public SessionSettings {
        tracking = Set.copyOf(tracking);
    }

    public static SessionSettings defaults() {
        return new SessionSettings(30, CookieSettings.defaults(), Set.of(), AttributeValues.ANY);
    }

    /** The same with another time-out. */
    public SessionSettings withTimeout(int minutes) {
        return new SessionSettings(minutes, cookie, tracking, values);
    }
}
