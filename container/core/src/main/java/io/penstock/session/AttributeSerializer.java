package io.penstock.session;

import io.penstock.part.AttributeFormat;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serializes each session attribute separately. So an attribute that cannot be written or read does not affect the other attributes. If two
 * attributes share an object, each attribute has its own copy after the session has been loaded.
 *
 * <p>Thread: any.
 */
final class AttributeSerializer {
    private static final Logger LOG = LoggerFactory.getLogger(AttributeSerializer.class);
    private static final int MAX_LOGGED = 1000;

    /**
     * The largest number of attempts for one attribute. An attempt fails if another request changes a collection at the same time. The next
     * attempt will probably succeed.
     */
    private static final int MAX_TRIES = 3;

    private final AttributeFormat format;
    private final Runnable whenUnreadable;

    /** Failures that have been logged already: classes that cannot be serialized, and names of attributes that could not be read. */
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    /** @param whenUnreadable counts an attribute that cannot be read */
    AttributeSerializer(AttributeFormat format, Runnable whenUnreadable) {
        this.format = format;
        this.whenUnreadable = whenUnreadable;
    }

    /**
     * Serialized attributes, in a new map.
     *
     * @param disturbed the names of attributes whose serialization has thrown an exception, perhaps because another thread was changing the
     *     attribute
     */
    record Written(Map<String, byte[]> bytes, Set<String> disturbed) {}

    /** Serializes the attributes. Attributes that cannot be serialized are left out. Such an attribute is logged once for each class. */
    Written write(Map<String, Object> attributes) {
        Written written = new Written(new HashMap<>(), new HashSet<>());
        attributes.forEach((name, value) -> write(name, value, written));
        return written;
    }

    private void write(String name, Object value, Written to) {
        RuntimeException thrown = null;
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            try {
                to.bytes().put(name, format.write(value));
                return;
            } catch (RuntimeException e) {
                thrown = e;
            } catch (IOException | StackOverflowError | LinkageError e) {
                logUnwritable(name, value, e);
                return;
            }
        }
        to.disturbed().add(name);
        logUnwritable(name, value, thrown);
    }

    private void logUnwritable(String name, Object value, @Nullable Throwable why) {
        String type = value.getClass().getName();
        if (isFirst(type)) {
            LOG.warn(
                    "Session attribute {} of {} cannot be stored, and is lost when this server stops: {}",
                    name,
                    type,
                    String.valueOf(why));
        }
    }

    private boolean isFirst(String subject) {
        return logged.size() < MAX_LOGGED && logged.add(subject);
    }

    /**
     * Deserializes one value. Returns null if the bytes cannot be read as an object, or if a class is not trusted or does not exist. Such a
     * failure is logged once for each name.
     */
    @Nullable
    Object read(String name, byte[] bytes) {
        try {
            return format.read(bytes);
        } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError | StackOverflowError e) {
            whenUnreadable.run();
            if (isFirst("read " + name)) {
                LOG.warn("Session attribute {} cannot be restored: {}", name, e.toString());
            }
            return null;
        }
    }
}
