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
 * Session attributes to bytes and back. Each attribute is a stream of its own, so that one which cannot be written, or may not be
 * read, costs no other; two attributes that share an object get one each.
 *
 * <p>Thread: any.
 */
final class AttributeBytes {
    private static final Logger LOG = LoggerFactory.getLogger(AttributeBytes.class);
    private static final int MOST_COMPLAINTS = 1000;

    private final ClassLoader loader;
    private final TrustedTypes trusted;

    /** What the log has told: classes that have no bytes, and names of attributes that could not be read. Each is told once. */
    private final Set<String> complaints = ConcurrentHashMap.newKeySet();

    AttributeBytes(ClassLoader loader) {
        this.loader = loader;
        this.trusted = new TrustedTypes(loader);
    }

    /** The bytes of each attribute, in a map of the caller's own. What cannot be serialised is left out. */
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

    /** Null where the value has no bytes, which is said in the log once for its class. */
    private byte @Nullable [] write(String name, Object value) {
        if (!(value instanceof Serializable)) {
            complain(name, value, "it is not serializable");
            return null;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        } catch (IOException | RuntimeException | StackOverflowError e) {
            complain(name, value, e.toString());
            return null;
        }
        return bytes.toByteArray();
    }

    private void complain(String name, Object value, String why) {
        String type = value.getClass().getName();
        if (isFirst(type)) {
            LOG.warn("Session attribute {} of {} does not outlive this server: {}", name, type, why);
        }
    }

    private boolean isFirst(String complaint) {
        return complaints.size() < MOST_COMPLAINTS && complaints.add(complaint);
    }

    /** Null where the bytes are none of an object, or of a type that is not trusted or not there any more; the log tells once for each name. */
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
