package io.penstock.context;

import io.penstock.session.AttributeValues;
import jakarta.servlet.SessionTrackingMode;
import java.util.Set;

/**
 * The session configuration in the descriptor.
 *
 * @param timeoutMinutes the minutes without a request after which a new session expires; zero or less for never
 * @param tracking the tracking modes of session ids; empty for the container's default
 * @param values the values that session attributes may have
 */
public record SessionSettings(
        int timeoutMinutes, CookieSettings cookie, Set<SessionTrackingMode> tracking, AttributeValues values) {

    public SessionSettings {
        tracking = Set.copyOf(tracking);
    }

    public static SessionSettings defaults() {
        return new SessionSettings(30, CookieSettings.defaults(), Set.of(), AttributeValues.ANY);
    }

    /** These settings with another time-out. */
    public SessionSettings withTimeout(int minutes) {
        return new SessionSettings(minutes, cookie, tracking, values);
    }
}
