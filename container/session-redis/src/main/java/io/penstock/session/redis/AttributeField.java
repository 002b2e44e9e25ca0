package io.penstock.session.redis;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The field of an attribute in a session's hash. The field is {@code a:} and the attribute's name in UTF-8. UTF-8 cannot represent an
 * unpaired surrogate. A name with an unpaired surrogate has the field {@code u:} and the name in UTF-16. The value of the field is the
 * version of the session that changed the attribute last, a colon, and the bytes of the attribute.
 */
final class AttributeField {
    private static final byte[] UTF_8 = {'a', ':'};
    private static final byte[] UTF_16 = {'u', ':'};

    private AttributeField() {}

    static byte[] of(String name) {
        try {
            return joined(UTF_8, StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name)));
        } catch (CharacterCodingException e) {
            ByteBuffer units = ByteBuffer.allocate(2 * name.length());
            name.chars().forEach(unit -> units.putChar((char) unit));
            return joined(UTF_16, units.flip());
        }
    }

    private static byte[] joined(byte[] kind, ByteBuffer name) {
        ByteBuffer field = ByteBuffer.allocate(kind.length + name.remaining());
        return field.put(kind).put(name).array();
    }

    /** @throws CharacterCodingException if {@code field} is not the field of an attribute */
    static String name(byte[] field) throws CharacterCodingException {
        ByteBuffer name = ByteBuffer.wrap(field, 2, field.length - 2);
        if (field[0] == UTF_8[0]) {
            return StandardCharsets.UTF_8.newDecoder().decode(name).toString();
        }
        if (name.remaining() % 2 != 0) {
            throw new CharacterCodingException();
        }
        StringBuilder units = new StringBuilder();
        while (name.hasRemaining()) {
            units.append(name.getChar());
        }
        return units.toString();
    }
}
