package io.penstock.session;

import io.penstock.part.AttributeFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/** The attribute format that uses Java's serialization. Thread: any. */
final class JavaFormat implements AttributeFormat {
    private final TrustedTypes trusted;

    JavaFormat(TrustedTypes trusted) {
        this.trusted = trusted;
    }

    @Override
    public byte[] write(Object value) throws IOException {
        if (!(value instanceof Serializable)) {
            throw new IOException("the object is not serializable");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }

    @Override
    public Object read(byte[] bytes) throws IOException, ClassNotFoundException {
        try (AttributeInput in = new AttributeInput(new ByteArrayInputStream(bytes), trusted)) {
            in.setObjectInputFilter(trusted);
            return in.readObject();
        }
    }
}
