package io.penstock.session.redis;

import io.penstock.store.SessionKey;
import io.penstock.store.StoredSession;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The reply of a script: a word, followed by data. */
final class Reply {
    private final SessionKey key;
    private final List<?> items;

    private Reply(SessionKey key, List<?> items) {
        this.key = key;
        this.items = items;
    }

    /**
     * @param key the key of the session, for messages
     * @throws IOException if the script could not read the data in Redis
     */
    static Reply of(SessionKey key, Object reply) throws IOException {
        if (!(reply instanceof List<?> items) || items.isEmpty()) {
            throw new IOException("Redis gives no list for session " + key);
        }
        Reply read = new Reply(key, items);
        if (read.is("broken")) {
            throw read.unreadable(read.text(1));
        }
        return read;
    }

    boolean is(String word) {
        return items.get(0) instanceof byte[] first && word.equals(new String(first, StandardCharsets.UTF_8));
    }

    /** Whether the reply is a session. A session begins with its version, and not with a word. */
    boolean isSession() {
        return items.get(0) instanceof byte[] first
                && first.length > 0
                && (first[0] == '-' || (first[0] >= '0' && first[0] <= '9'));
    }

    String text(int index) throws IOException {
        return new String(bytes(index), StandardCharsets.UTF_8);
    }

    byte[] bytes(int index) throws IOException {
        if (index < items.size() && items.get(index) instanceof byte[] bytes) {
            return bytes;
        }
        throw unreadable("the reply is too short");
    }

    long number(int index) throws IOException {
        if (index < items.size() && items.get(index) instanceof Long number) {
            return number;
        }
        throw unreadable("the reply has no number");
    }

    /** The current version and its marks, in a reply that begins with {@code changed}. */
    ChangeMarks marks() throws IOException {
        return new ChangeMarks(number(1), bytes(2));
    }

    /** The remaining items of the reply, from index {@code from} on. */
    List<byte[]> rest(int from) throws IOException {
        byte[][] rest = new byte[items.size() - from][];
        for (int i = 0; i < rest.length; i++) {
            rest[i] = bytes(from + i);
        }
        return Arrays.asList(rest);
    }

    /**
     * The session in the reply. The items of the reply are: version, time of creation, time of last use, interval, marks, and the
     * attributes as fields and values.
     */
    StoredSession session() throws IOException {
        try {
            Map<String, byte[]> attributes = new HashMap<>();
            for (int i = 5; i + 1 < items.size(); i += 2) {
                attributes.put(AttributeField.name(bytes(i)), value(bytes(i + 1)));
            }
            long version = Long.parseLong(text(0));
            if (version < 1) {
                throw unreadable("its version is " + version);
            }
            return new StoredSession(
                    key,
                    version,
                    new ChangeMarks(version, bytes(4)).latest(),
                    Instant.ofEpochMilli(Long.parseLong(text(1))),
                    Instant.ofEpochMilli(Long.parseLong(text(2))),
                    Integer.parseInt(text(3)),
                    attributes);
        } catch (NumberFormatException | CharacterCodingException e) {
            IOException unreadable = unreadable("a number is too large, or a name is not text");
            unreadable.initCause(e);
            throw unreadable;
        }
    }

    private byte[] value(byte[] stored) throws IOException {
        for (int i = 0; i < stored.length; i++) {
            if (stored[i] == ':') {
                return Arrays.copyOfRange(stored, i + 1, stored.length);
            }
        }
        throw unreadable("an attribute has no version");
    }

    private IOException unreadable(String reason) {
        return new IOException("the session " + key + " in Redis cannot be read: " + reason);
    }
}
