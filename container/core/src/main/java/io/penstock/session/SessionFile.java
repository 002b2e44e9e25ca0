package io.penstock.session;

import io.penstock.store.SessionKey;
import io.penstock.store.StoredSession;
import io.penstock.time.Saturated;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * The content of a file that holds one session.
 *
 * <pre>
 *   "PNSS" (4 bytes) | format (1 byte, 2) | version (8) | created (8) | accessed (8) | max inactive interval (4)
 *   | key (modified UTF-8) | count (4) | count times: name (modified UTF-8) | length (4) | serialised object
 *   | CRC-32 of all before it (8)
 * </pre>
 */
final class SessionFile {
    private static final int MAGIC = 0x504E5353;
    private static final int FORMAT = 2;
    private static final int HEADER_BYTES = Integer.BYTES + Byte.BYTES;

    private SessionFile() {}

    static byte[] write(StoredSession session) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(MAGIC);
        out.writeByte(FORMAT);
        out.writeLong(session.version());
        out.writeLong(Saturated.millis(session.created()));
        out.writeLong(Saturated.millis(session.accessed()));
        out.writeInt(session.maxInactiveSeconds());
        out.writeUTF(session.key().digest());
        out.writeInt(session.attributes().size());
        for (Map.Entry<String, byte[]> attribute : session.attributes().entrySet()) {
            out.writeUTF(attribute.getKey());
            out.writeInt(attribute.getValue().length);
            out.write(attribute.getValue());
        }
        out.writeLong(checksum(bytes.toByteArray(), bytes.size()));
        return bytes.toByteArray();
    }

    /** @throws IOException if the file is cut off or damaged, or has another format */
    static StoredSession read(byte[] file) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(file));
        if (file.length < HEADER_BYTES + Long.BYTES || in.readInt() != MAGIC || in.readByte() != FORMAT) {
            throw new IOException("the file is not a session file, or its version is unknown");
        }
        long version = in.readLong();
        Instant created = Instant.ofEpochMilli(in.readLong());
        Instant accessed = Instant.ofEpochMilli(in.readLong());
        int maxInactiveInterval = in.readInt();
        SessionKey key = key(in.readUTF());
        Map<String, byte[]> attributes = attributes(in);
        if (in.available() != Long.BYTES) {
            throw new IOException("the file is cut off, or has bytes behind its end");
        }
        if (in.readLong() != checksum(file, file.length - Long.BYTES)) {
            throw new IOException("the file is damaged");
        }
        return new StoredSession(key, version, created, accessed, maxInactiveInterval, attributes);
    }

    private static SessionKey key(String digest) throws IOException {
        try {
            return new SessionKey(digest);
        } catch (IllegalArgumentException e) {
            throw new IOException("the file is damaged", e);
        }
    }

    private static Map<String, byte[]> attributes(DataInputStream in) throws IOException {
        int count = in.readInt();
        Map<String, byte[]> attributes = new HashMap<>();
        for (int i = 0; i < count; i++) {
            String name = in.readUTF();
            int length = in.readInt();
            if (length < 0 || length > in.available()) {
                throw new IOException("the file is cut off");
            }
            attributes.put(name, in.readNBytes(length));
        }
        return attributes;
    }

    private static long checksum(byte[] bytes, int length) {
        CRC32 checksum = new CRC32();
        checksum.update(bytes, 0, length);
        return checksum.getValue();
    }
}
