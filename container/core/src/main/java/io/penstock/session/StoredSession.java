package io.penstock.session;

import java.nio.ByteBuffer;

/**
 * A session at rest as bytes. Times are milliseconds since 1970.
 *
 * @param version how often the session has been saved, this time included
 * @param accessed when the latest request of the session started
 * @param maxInactiveInterval seconds between requests after which the session ends; zero or less: never
 * @param attributes read-only; each call returns a view with its own position
 */
public record StoredSession(
        String id, long version, long created, long accessed, int maxInactiveInterval, ByteBuffer attributes) {

    public StoredSession {
        attributes = attributes.asReadOnlyBuffer();
    }

    @Override
    public ByteBuffer attributes() {
        return attributes.duplicate();
    }

    StoredSession accessedAt(long latest) {
        return new StoredSession(id, version, created, Math.max(accessed, latest), maxInactiveInterval, attributes);
    }
}
