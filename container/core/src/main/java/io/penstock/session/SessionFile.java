package io.penstock.session;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The content of a file that holds one session.
 *
 * <pre>
 *   "PNSS" (4 bytes) | format (1 byte, 1) | version (8) | created (8) | accessed (8) | max inactive interval (4)
 *   | id (modified UTF-8) | length (4) | attributes | CRC-32 of all before it (8)
 * </pre>
 */
final class SessionFile {
    private static final int MAGIC = 0x504E5353;
    private static final int FORMAT = 1;

    private SessionFile() {}

    static byte[] write(StoredSession session) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(MAGIC);
        out.writeByte(FORMAT);
        out.writeLong(session.version());
        out.writeLong(session.created());
        out.writeLong(session.accessed());
        out.writeInt(session.maxInactiveInterval());
        out.writeUTF(session.id());
        ByteBuffer attributes = session.attributes();
        byte[] content = new byte[attributes.remaining()];
        attributes.get(content);
        out.writeInt(content.length);
        out.write(content);
        out.writeLong(checksum(bytes.toByteArray(), bytes.size()));
        return bytes.toByteArray();
    }

    /** @throws IOException if the file is cut off, of another format, or damaged */
    static StoredSession read(byte[] file) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(file));
        if (file.length < Integer.BYTES + Byte.BYTES || in.readInt() != MAGIC || in.readByte() != FORMAT) {
            throw new IOException("is not the file of a session, or of a version that is not known");
        }
        long version = in.readLong();
        long created = in.readLong();
        long accessed = in.readLong();
        int maxInactiveInterval = in.readInt();
        String id = in.readUTF();
        int length = in.readInt();
        if (length < 0 || length != in.available() - Long.BYTES) {
            throw new IOException("is cut off, or has something behind its end");
        }
        byte[] attributes = in.readNBytes(length);
        if (in.readLong() != checksum(file, file.length - Long.BYTES)) {
            throw new IOException("is damaged");
        }
        return new StoredSession(id, version, created, accessed, maxInactiveInterval, ByteBuffer.wrap(attributes));
    }

    private static long checksum(byte[] bytes, int length) {
        CRC32 checksum = new CRC32();
        checksum.update(bytes, 0, length);
        return checksum.getValue();
    }
}
