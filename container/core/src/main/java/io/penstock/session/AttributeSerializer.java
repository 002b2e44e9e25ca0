package io.penstock.session;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serializes session attributes. Each attribute is a stream of its own, so if one cannot be written or must not be read, the others are not
 * affected. Two attributes that share an object get a copy each.
 *
 * <p>Thread: any.
 */
final class AttributeSerializer {
    private static final Logger LOG = LoggerFactory.getLogger(AttributeSerializer.class);
    private static final int MAX_LOGGED = 1000;

    private final ClassLoader loader;
    private final TrustedTypes trusted;

    /** Failures that have been logged already: classes that cannot be serialized, and names of attributes that could not be read. */
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    AttributeSerializer(ClassLoader loader) {
        this.loader = loader;
        this.trusted = new TrustedTypes(loader);
    }

    /** The bytes of each attribute that can be serialized, in a new map. */
    Map<String, byte[]> write(Map<String, Object> attributes) {
        Map<String, byte[]> written = new HashMap<>();
        attributes.forEach((name, value) -> {
            byte[] bytes = write(name, value);
            if (bytes != null) {
                written.put(name, bytes);
            }
        });
        return written;
    }

    /** Serializes one value; null if that fails, which is logged once for its class. */
    private byte @Nullable [] write(String name, Object value) {
        if (!(value instanceof Serializable)) {
            logUnwritable(name, value, "it is not serializable");
            return null;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        } catch (IOException | RuntimeException | StackOverflowError e) {
            logUnwritable(name, value, e.toString());
            return null;
        }
        return bytes.toByteArray();
    }

    private void logUnwritable(String name, Object value, String why) {
        String type = value.getClass().getName();
        if (isFirst(type)) {
            LOG.warn("Session attribute {} of {} does not outlive this server: {}", name, type, why);
        }
    }

    private boolean isFirst(String subject) {
        return logged.size() < MAX_LOGGED && logged.add(subject);
    }

    /**
     * Deserializes one value. Null if the bytes are no object, or if its class is not trusted or no longer exists; this is logged once for
     * each name.
     */
    @Nullable
    Object read(String name, byte[] bytes) {
        try (AttributeInput in = new AttributeInput(new ByteArrayInputStream(bytes), loader)) {
            in.setObjectInputFilter(trusted);
            return in.readObject();
        } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError | StackOverflowError e) {
            if (isFirst("read " + name)) {
                LOG.warn("Session attribute {} is not read again: {}", name, e.toString());
            }
            return null;
        }
    }
}
