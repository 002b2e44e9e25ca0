package io.penstock.loadtest.client;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request that is encoded once and can be sent any number of times over any number of connections. A request is immutable; the methods
 * {@code with...} create another request.
 */
public final class Request {
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    /** A body up to this size, in bytes, is sent with the head, if possible in the same packet. */
    private static final int LONGEST_INLINE_BODY = 16 << 10;

    private final String method;
    private final Target target;
    private final Fields fields;
    private final byte @Nullable [] bytes;
    private final @Nullable Body body;
    private final ByteBuffer encoded;

    private Request(String method, Target target, Fields fields, byte @Nullable [] bytes, @Nullable Body body) {
        this.method = method;
        this.target = target;
        this.fields = fields;
        this.bytes = bytes;
        this.body = body;
        this.encoded = encode();
    }

    public static Request get(Target target) {
        return of("GET", target);
    }

    /** @throws IllegalArgumentException if the scheme of the URL is not {@code http}, or its host is not known */
    public static Request get(URI url) {
        return get(Target.of(url));
    }

    public static Request head(Target target) {
        return of("HEAD", target);
    }

    /** @throws IllegalArgumentException if the method is not a token */
    public static Request of(String method, Target target) {
        if (!TOKEN.matcher(method).matches()) {
            throw new IllegalArgumentException("Not a method: " + method);
        }
        return new Request(method, target, Fields.NONE, null, null);
    }

    /**
     * Returns a request with one more field. {@code Host}, {@code Content-Length} and {@code Transfer-Encoding} are set automatically.
     *
     * @throws IllegalArgumentException if the name is not a token, or the value has characters that are not allowed in field values
     */
    public Request withField(String name, String value) {
        return new Request(method, target, fields.and(Fields.Field.checked(name, value)), bytes, body);
    }

    /** Returns a request with these bytes as its body. */
    public Request withBody(byte[] content) {
        return content.length > LONGEST_INLINE_BODY
                ? withBody(Body.of(content.clone()))
                : new Request(method, target, fields, content.clone(), null);
    }

    /** Returns a request with the given body. The body supplies its bytes piece by piece while it is sent. */
    public Request withBody(Body pulled) {
        return new Request(method, target, fields, null, pulled);
    }

    public String method() {
        return method;
    }

    public Target target() {
        return target;
    }

    public Fields fields() {
        return fields;
    }

    /**
     * The bytes of the head, and of the body if its content is known and short. Callers must send a duplicate of this buffer, since sending
     * changes the position of a buffer.
     */
    ByteBuffer encoded() {
        return encoded;
    }

    /** The body to send after {@link #encoded()}; null if there is none. */
    @Nullable
    Body body() {
        return body;
    }

    boolean isHead() {
        return method.equals("HEAD");
    }

    /** Whether the request has the same effect if a server receives it twice (RFC 9110, section 9.2.2). */
    boolean isIdempotent() {
        return switch (method) {
            case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE" -> true;
            default -> false;
        };
    }

    private ByteBuffer encode() {
        StringBuilder head = new StringBuilder(target.requestLine(method));
        fields.appendTo(head);
        if (body != null && body.length() == Body.CHUNKED) {
            field(head, "Transfer-Encoding", "chunked");
        } else if (body != null) {
            field(head, "Content-Length", Long.toString(body.length()));
        } else if (bytes != null) {
            field(head, "Content-Length", Integer.toString(bytes.length));
        }
        byte[] start = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        byte[] rest = bytes == null ? new byte[0] : bytes;
        // The buffer is direct, so the JDK writes it to the socket without a copy.
        return ByteBuffer.allocateDirect(start.length + rest.length)
                .put(start)
                .put(rest)
                .flip()
                .asReadOnlyBuffer();
    }

    private static void field(StringBuilder head, String name, String value) {
        head.append(name).append(": ").append(value).append("\r\n");
    }

    @Override
    public String toString() {
        return method + " http://" + target.authority() + target.path();
    }
}
