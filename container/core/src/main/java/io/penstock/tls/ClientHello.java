package io.penstock.tls;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server name and the protocols in the first message of a client (RFC 8446 section 4.1.2). This class reads the message before the
 * engine reads it. This is necessary only if the message decides which engine the client gets. If the message is split into several records
 * or is not a ClientHello, the result is {@link #SILENT}.
 *
 * @param serverName the host name in the extension server_name (RFC 6066 section 3); null if the client sent no host name
 * @param protocols the names of the protocols in the extension ALPN (RFC 7301 section 3.1), in the order of the client; empty if the client
 *     sent no protocols
 */
record ClientHello(@Nullable String serverName, List<String> protocols) {
    static final ClientHello SILENT = new ClientHello(null, List.of());

    /** The only protocol of a client that checks a challenge (RFC 8737 section 3). */
    static final String CHALLENGE = "acme-tls/1";

    private static final int RECORD_HEAD = 5;
    private static final int RECORD_LENGTH = 3; // the offset of the length in the head
    private static final int CLIENT_HELLO = 1;
    private static final int VERSION_AND_RANDOM = 2 + 32;
    private static final int SERVER_NAME = 0;
    private static final int HOST_NAME = 0;
    private static final int PROTOCOLS = 16;

    ClientHello {
        protocols = List.copyOf(protocols);
    }

    /**
     * Whether the first record has arrived completely. The result is also true for a record that is too long, because the engine refuses
     * such a record.
     */
    static boolean hasCome(ByteBuffer records) {
        if (records.remaining() < RECORD_HEAD) {
            return false;
        }
        int whole = RECORD_HEAD + Short.toUnsignedInt(records.getShort(records.position() + RECORD_LENGTH));
        return whole > TlsBuffers.RECORD || records.remaining() >= whole;
    }

    /** Reads the first record, which must be complete. The position and the limit of the buffer do not change. */
    static ClientHello read(ByteBuffer records) {
        try {
            ByteBuffer all = records.duplicate();
            all.position(all.position() + RECORD_LENGTH);
            ByteBuffer record = part(all, Short.toUnsignedInt(all.getShort()));
            return Byte.toUnsignedInt(record.get()) == CLIENT_HELLO ? hello(part(record, length24(record))) : SILENT;
        } catch (BufferUnderflowException e) {
            return SILENT;
        }
    }

    private static ClientHello hello(ByteBuffer hello) {
        part(hello, VERSION_AND_RANDOM);
        part(hello, length8(hello)); // session id
        part(hello, length16(hello)); // cipher suites
        part(hello, length8(hello)); // compression methods
        ByteBuffer extensions = part(hello, length16(hello));
        String serverName = null;
        List<String> protocols = List.of();
        while (extensions.hasRemaining()) {
            int type = length16(extensions);
            ByteBuffer content = part(extensions, length16(extensions));
            if (type == SERVER_NAME) {
                serverName = serverName(part(content, length16(content)));
            } else if (type == PROTOCOLS) {
                protocols = protocols(part(content, length16(content)));
            }
        }
        return new ClientHello(serverName, protocols);
    }

    private static @Nullable String serverName(ByteBuffer names) {
        while (names.hasRemaining()) {
            int type = length8(names);
            String name = text(part(names, length16(names)));
            if (type == HOST_NAME) {
                return name;
            }
        }
        return null;
    }

    private static List<String> protocols(ByteBuffer names) {
        List<String> protocols = new ArrayList<>();
        while (names.hasRemaining()) {
            protocols.add(text(part(names, length8(names))));
        }
        return protocols;
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.ISO_8859_1.decode(bytes).toString();
    }

    private static int length8(ByteBuffer from) {
        return Byte.toUnsignedInt(from.get());
    }

    private static int length16(ByteBuffer from) {
        return Short.toUnsignedInt(from.getShort());
    }

    private static int length24(ByteBuffer from) {
        return length8(from) << 16 | length16(from);
    }

    /** Returns the next {@code length} bytes, and moves the position of {@code from} behind these bytes. */
    private static ByteBuffer part(ByteBuffer from, int length) {
        if (length > from.remaining()) {
            throw new BufferUnderflowException();
        }
        ByteBuffer part = from.slice(from.position(), length);
        from.position(from.position() + length);
        return part;
    }

    /** The host whose challenge ({@code tls-alpn-01}, RFC 8737) the client checks; null if the client does not check a challenge. */
    @Nullable
    String challenged() {
        return protocols.equals(List.of(CHALLENGE)) ? serverName : null;
    }
}
