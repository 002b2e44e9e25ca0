package io.penstock.loadtest.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request that is encoded once and can be sent any number of times over any number of connections. A request is immutable; the methods
 * {@code with...} create another request.
 */
public final class Request {
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /** Zero bytes up to this number are sent with the head, if possible in the same packet. */
    private static final int LONGEST_INLINE_BODY = 16 << 10;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    // The bodies of all requests share these direct buffers, which the JDK writes to the socket without a copy. So a
    // body of any length needs next to no memory.
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(1 << 20).asReadOnlyBuffer();
    private static final int CHUNK_LENGTH = 16 << 10;
    private static final ByteBuffer CHUNK = chunk(CHUNK_LENGTH);
    private static final ByteBuffer LAST_CHUNK = direct("0\r\n\r\n", NOTHING, "");

    private final String method;
    private final Target target;
    private final Fields fields;
    private final Content content;
    private final ByteBuffer[] encoded;

    /**
     * The body of a request.
     *
     * @param bytes the first bytes; null if the request has no body
     * @param zeros the number of zero bytes after them
     */
    private record Content(@Nullable ByteBuffer bytes, long zeros, boolean chunked) {}

    private Request(String method, Target target, Fields fields, Content content) {
        this.method = method;
        this.target = target;
        this.fields = fields;
        this.content = content;
        this.encoded = encode();
    }

    public static Request get(Target target) {
        return of("GET", target);
    }

    public static Request head(Target target) {
        return of("HEAD", target);
    }

    /** @throws IllegalArgumentException if the method is not a token */
    public static Request of(String method, Target target) {
        if (!TOKEN.matcher(method).matches()) {
            throw new IllegalArgumentException("Not a method: " + method);
        }
        return new Request(method, target, Fields.NONE, new Content(null, 0, false));
    }

    /**
     * Returns a request with one more field. {@code Host}, {@code Content-Length} and {@code Transfer-Encoding} are set automatically.
     *
     * @throws IllegalArgumentException if the name is not a token, or the value has characters that are not allowed in field values
     */
    public Request withField(String name, String value) {
        return new Request(method, target, fields.and(Fields.Field.checked(name, value)), content);
    }

    public Request withBody(byte[] bytes) {
        return new Request(method, target, fields, new Content(ByteBuffer.wrap(bytes.clone()), 0, false));
    }

    public Request withZeros(long length) {
        return length <= LONGEST_INLINE_BODY
                ? withBody(new byte[(int) length])
                : new Request(method, target, fields, new Content(NOTHING, length, false));
    }

    /** Returns a request whose body consists of zero bytes, and is sent in chunks (RFC 9112, section 7.1). */
    public Request withZerosInChunks(long length) {
        return new Request(method, target, fields, new Content(NOTHING, length, true));
    }

    public String method() {
        return method;
    }

    public Target target() {
        return target;
    }

    /** The head and the body. Callers must send duplicates of these buffers, since sending changes the position of a buffer. */
    ByteBuffer[] encoded() {
        return encoded;
    }

    boolean isHead() {
        return method.equals("HEAD");
    }

    private ByteBuffer[] encode() {
        StringBuilder head = new StringBuilder(target.requestLine(method));
        fields.appendTo(head);
        ByteBuffer bytes = content.bytes();
        if (content.chunked()) {
            head.append("Transfer-Encoding: chunked\r\n");
        } else if (bytes != null) {
            head.append("Content-Length: ")
                    .append(bytes.remaining() + content.zeros())
                    .append("\r\n");
        }
        List<ByteBuffer> parts = new ArrayList<>();
        parts.add(direct(head + "\r\n", bytes == null ? NOTHING : bytes, ""));
        int most = content.chunked() ? CHUNK_LENGTH : ZEROS.capacity();
        for (long left = content.zeros(); left > 0; left -= most) {
            int length = (int) Math.min(left, most);
            parts.add(!content.chunked() ? ZEROS.duplicate().limit(length) : length == most ? CHUNK : chunk(length));
        }
        if (content.chunked()) {
            parts.add(LAST_CHUNK);
        }
        return parts.toArray(ByteBuffer[]::new);
    }

    private static ByteBuffer chunk(int length) {
        return direct(Integer.toHexString(length) + "\r\n", ByteBuffer.allocate(length), "\r\n");
    }

    private static ByteBuffer direct(String before, ByteBuffer bytes, String behind) {
        byte[] start = before.getBytes(StandardCharsets.ISO_8859_1);
        byte[] end = behind.getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocateDirect(start.length + bytes.remaining() + end.length)
                .put(start)
                .put(bytes.duplicate())
                .put(end)
                .flip()
                .asReadOnlyBuffer();
    }

    @Override
    public String toString() {
        return method + " http://" + target.authority() + target.path();
    }
}
