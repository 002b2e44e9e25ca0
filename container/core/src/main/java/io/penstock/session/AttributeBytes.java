package io.penstock.session;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Session attributes to bytes and back. Each attribute is a stream of its own, so that one which cannot be written, or may not be
 * read, costs no other; two attributes that share an object get one each.
 *
 * <pre>
 *   format (1 byte, 1) | count (4) | count times: name (modified UTF-8) | length (4) | serialised object
 * </pre>
 *
 * <p>Thread: any.
 */
final class AttributeBytes {
    private static final Logger LOG = LoggerFactory.getLogger(AttributeBytes.class);
    private static final int FORMAT = 1;
    private static final int MOST_COMPLAINTS = 1000;

    private final ClassLoader loader;
    private final TrustedTypes trusted;

    /** Classes that have been complained of; each is, once. */
    private final Set<String> complaints = ConcurrentHashMap.newKeySet();

    AttributeBytes(ClassLoader loader) {
        this.loader = loader;
        this.trusted = new TrustedTypes(loader);
    }

    /** In order of names, so that the same attributes are the same bytes. What cannot be serialised is left out. */
    ByteBuffer write(Map<String, Object> attributes) throws IOException {
        Map<String, byte[]> written = new TreeMap<>();
        attributes.forEach((name, value) -> {
            byte[] bytes = write(name, value);
            if (bytes != null) {
                written.put(name, bytes);
            }
        });
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(all);
        out.writeByte(FORMAT);
        out.writeInt(written.size());
        for (Map.Entry<String, byte[]> attribute : written.entrySet()) {
            out.writeUTF(attribute.getKey());
            out.writeInt(attribute.getValue().length);
            out.write(attribute.getValue());
        }
        return ByteBuffer.wrap(all.toByteArray());
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
        if (complaints.size() < MOST_COMPLAINTS && complaints.add(type)) {
            LOG.warn("Session attribute {} of {} does not outlive this server: {}", name, type, why);
        }
    }

    /**
     * Adds what is in {@code bytes} to {@code attributes}; an attribute of a type that is not trusted, or is not there any more, is
     * left out with a line in the log.
     *
     * @throws IOException if these are not the bytes of attributes
     */
    void read(ByteBuffer bytes, Map<String, Object> attributes) throws IOException {
        byte[] all = new byte[bytes.remaining()];
        bytes.get(all);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(all));
        int format = in.readUnsignedByte();
        if (format != FORMAT) {
            throw new IOException("session attributes of an unknown format: " + format);
        }
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            String name = in.readUTF();
            int length = in.readInt();
            if (length < 0 || length > in.available()) {
                throw new IOException("session attributes are cut off");
            }
            Object value = read(name, in.readNBytes(length));
            if (value != null) {
                attributes.put(name, value);
            }
        }
    }

    private @Nullable Object read(String name, byte[] bytes) {
        try (AttributeInput in = new AttributeInput(new ByteArrayInputStream(bytes), loader)) {
            in.setObjectInputFilter(trusted);
            return in.readObject();
        } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError | StackOverflowError e) {
            LOG.warn("Session attribute {} is not read again: {}", name, e.toString());
            return null;
        }
    }
}
