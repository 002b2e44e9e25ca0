package io.penstock.session.jdbc;

import io.penstock.store.SessionChange;
import io.penstock.store.SessionKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/** Creates changes of sessions for tests. */
final class Change {
    static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    static final int SECONDS = 60;

    private Change() {}

    /** Returns a change of one attribute, in a session with a time-out of one minute. */
    static SessionChange set(SessionKey key, long base, String name, String value) {
        return set(key, base, name, value.getBytes(StandardCharsets.UTF_8));
    }

    static SessionChange set(SessionKey key, long base, String name, byte[] value) {
        return new SessionChange(key, key, base, NOW, NOW, SECONDS, Map.of(name, value), Set.of());
    }
}
