package io.penstock.http;

import io.penstock.limits.Key;
import io.penstock.limits.MessageLimits;
import io.penstock.memory.HeapSize;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one request or trailer section of HTTP/2, as they are decoded one after the other (RFC 9113 section 8). What the section
 * violates is noted, and the remaining fields are dropped: the decoder must go on to the end, so that its table stays the same as that of
 * the client.
 *
 * <p>Thread: one at a time. Owns: an array that grows to the size of the largest section, and is used again for the next one. A finished
 * head has its own bytes.
 */
public final class FieldSection {
    /** What each field counts in addition to its octets (RFC 9113 section 6.5.2). */
    public static final int FIELD_OVERHEAD = 32;

    private static final int FIRST_SIZE = 1024;

    /** A larger array is not kept for the next section. */
    private static final int MAX_KEPT = 64 << 10;

    private static final byte[] NONE = {};
    private static final byte[] HOST = {'h', 'o', 's', 't'};
    private static final byte[] CRUMB = {';', ' '};

    private static final String CONNECT = "CONNECT";

    /** The protocol of an extended CONNECT that is WebSocket (RFC 8441 section 5). */
    public static final String WEBSOCKET = "websocket";

    /** The field that stands for the handshake's key, which an extended CONNECT need not have. */
    private static final String KEY = "sec-websocket-key";

    /** Sixteen octets in Base64. The client does not see an answer to them. */
    private static final String SOME_KEY = "AAAAAAAAAAAAAAAAAAAAAA==";

    /** The number of pseudo-fields that are no fields for the application: all but {@code :authority}, which is the Host. */
    private static final int PSEUDO = 3;

    private final MessageLimits limits;

    private byte[] bytes = NONE;
    private int length;

    // ---- the current section
    private boolean isTrailers;
    private long counted; // also what is dropped
    private int count;
    private FieldLines lines = new FieldLines();
    private DecidingFields deciding = new DecidingFields();

    // The pseudo-fields of a request (RFC 9113 section 8.3.1).
    private @Nullable String method;
    private @Nullable String scheme;
    private @Nullable String authority;
    private @Nullable String path;
    private @Nullable String protocol; // of an extended CONNECT (RFC 8441 section 4)

    private boolean hasRegular;
    private boolean lastIsCookie;
    private boolean scatteredCookies;
    private @Nullable String malformed;
    private @Nullable Key exceeded;

    public FieldSection(MessageLimits limits) {
        this.limits = limits;
    }

    /** Begins a section. */
    public void begin(boolean trailers) {
        isTrailers = trailers;
        length = 0;
        counted = 0;
        count = 0;
        lines = new FieldLines();
        deciding = new DecidingFields();
        method = null;
        scheme = null;
        authority = null;
        path = null;
        protocol = null;
        hasRegular = false;
        lastIsCookie = false;
        scatteredCookies = false;
        malformed = null;
        exceeded = null;
    }

    // ---- for the decoder

    /** The array of the section. The fields so far end at {@link #length}; the octets of the next one are put behind them. */
    public byte[] bytes() {
        return bytes;
    }

    /** Where the next field begins. */
    public int length() {
        return length;
    }

    /** Makes room for {@code needed} octets at {@code at}. Returns {@link #bytes}. */
    public byte[] room(int at, int needed) {
        if (bytes.length - at < needed) {
            bytes = Arrays.copyOf(bytes, Math.max(at + needed, Math.max(FIRST_SIZE, 2 * bytes.length)));
        }
        return bytes;
    }

    /** Whether further fields are dropped, since the section is malformed or too large. The decoder need not copy them. */
    public boolean isDropping() {
        return malformed != null || exceeded != null;
    }

    /** Adds the field whose name lies between {@link #length} and {@code nameEnd}, and whose value lies behind it. */
    public void add(int nameEnd, int valueEnd) {
        int start = length;
        counted += valueEnd - start + FIELD_OVERHEAD;
        if (isDropping()) {
            return;
        }
        count++;
        if (counted > limit()) {
            exceeded = isTrailers ? Key.TRAILER_BYTES_LIMIT : Key.HEADER_BYTES_LIMIT;
        } else if (count > limits.headerCount() + pseudo()) {
            exceeded = Key.HEADER_COUNT_LIMIT;
        } else if (!isValue(nameEnd, valueEnd)) {
            malformed = "field value with a character that is not allowed";
        } else if (start < nameEnd && bytes[start] == ':') {
            addPseudo(start, nameEnd, valueEnd);
        } else {
            addRegular(start, nameEnd, valueEnd);
        }
    }

    private int limit() {
        return isTrailers ? limits.trailerBytes() : limits.headerBytes();
    }

    /** Whether the fields that were added are four times as large as the limit of heads, although most of them are dropped. */
    public boolean isMuchTooLarge() {
        return counted > 4L * Math.max(limit(), limits.headerBytes());
    }

    private int pseudo() {
        return isTrailers ? 0 : protocol == null ? PSEUDO : PSEUDO + 1;
    }

    /** RFC 9113 section 8.2.1. As in HTTP/1.1, no control characters are accepted but HTAB. */
    private boolean isValue(int start, int end) {
        for (int i = start; i < end; i++) {
            if (!FieldSyntax.isValueChar(bytes[i] & 0xFF)) {
                return false;
            }
        }
        return start == end || !FieldSyntax.isBlank(bytes[start]) && !FieldSyntax.isBlank(bytes[end - 1]);
    }

    private void addPseudo(int start, int nameEnd, int valueEnd) {
        if (isTrailers || hasRegular || !setPseudo(start, nameEnd, text(nameEnd, valueEnd))) {
            malformed = "pseudo-field that is unknown, repeated, or behind other fields";
        } else if (is(":authority", bytes, start, nameEnd)) {
            // Applications know it as the field Host.
            System.arraycopy(HOST, 0, bytes, start, HOST.length);
            keep(start, start + HOST.length, nameEnd, valueEnd);
        }
    }

    /** Returns false if the pseudo-field is unknown or repeated. */
    private boolean setPseudo(int start, int end, String value) {
        boolean first = false;
        if (is(":method", bytes, start, end)) {
            first = method == null;
            method = value;
        } else if (is(":path", bytes, start, end)) {
            first = path == null;
            path = value;
        } else if (is(":scheme", bytes, start, end)) {
            first = scheme == null;
            scheme = value;
        } else if (is(":authority", bytes, start, end)) {
            first = authority == null;
            authority = value;
        } else if (is(":protocol", bytes, start, end)) {
            first = protocol == null;
            protocol = value;
        }
        return first;
    }

    private void addRegular(int start, int nameEnd, int valueEnd) {
        hasRegular = true;
        if (!isName(start, nameEnd)) {
            malformed = "field name with a character that is not allowed";
        } else if (isOfConnection(start, nameEnd, valueEnd)) {
            malformed = "field of a connection of HTTP/1.1";
        } else if (is("cookie", bytes, start, nameEnd)) {
            addCookie(start, nameEnd, valueEnd);
        } else if (authority != null && is("host", bytes, start, nameEnd)) {
            if (!text(nameEnd, valueEnd).equalsIgnoreCase(authority)) {
                malformed = "Host that differs from the authority";
            }
        } else if (protocol == null || !is(KEY, bytes, start, nameEnd)) {
            keep(start, nameEnd, nameEnd, valueEnd);
        }
    }

    /** Names are tokens in lower case (RFC 9113 section 8.2.1). */
    private boolean isName(int start, int end) {
        for (int i = start; i < end; i++) {
            if (bytes[i] >= 'A' && bytes[i] <= 'Z') {
                return false;
            }
        }
        return start < end && FieldSyntax.tokenEnd(bytes, start, end) == end;
    }

    /** RFC 9113 section 8.2.2. */
    private boolean isOfConnection(int start, int end, int valueEnd) {
        return switch (end - start) {
            case 2 -> is("te", bytes, start, end) && !is("trailers", bytes, end, valueEnd);
            case 7 -> is("upgrade", bytes, start, end);
            case 10 -> is("connection", bytes, start, end) || is("keep-alive", bytes, start, end);
            case 16 -> is("proxy-connection", bytes, start, end);
            case 17 -> is("transfer-encoding", bytes, start, end);
            default -> false;
        };
    }

    /** Clients may send each pair as a field of its own. For the application they are one field (RFC 9113 section 8.2.3). */
    private void addCookie(int start, int nameEnd, int valueEnd) {
        if (!lastIsCookie) {
            scatteredCookies |= deciding.has(DecidingFields.Name.COOKIE);
            keep(start, nameEnd, nameEnd, valueEnd);
            lastIsCookie = true;
            return;
        }
        System.arraycopy(CRUMB, 0, bytes, start, CRUMB.length);
        System.arraycopy(bytes, nameEnd, bytes, start + CRUMB.length, valueEnd - nameEnd);
        length = start + CRUMB.length + valueEnd - nameEnd;
        lines.endLastAt(length);
    }

    private void keep(int start, int nameEnd, int valueStart, int valueEnd) {
        lines.mark(start, nameEnd, valueStart, valueEnd);
        deciding.look(bytes, start, nameEnd);
        lastIsCookie = false;
        length = valueEnd;
    }

    /** Adds a field that the client has not sent. */
    private void keep(String name, String value) {
        byte[] field = (name + value).getBytes(StandardCharsets.ISO_8859_1);
        int start = length;
        System.arraycopy(field, 0, room(start, field.length), start, field.length);
        keep(start, start + name.length(), start + name.length(), start + field.length);
    }

    private static boolean is(String text, byte[] in, int start, int end) {
        if (end - start != text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (in[start + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private String text(int start, int end) {
        return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
    }

    // ---- the whole section

    /** Why the section is malformed, so that its stream must be reset with PROTOCOL_ERROR; null if it is well formed. */
    public @Nullable String malformed() {
        if (malformed == null && !isTrailers && exceeded == null) {
            malformed = missing();
        }
        return malformed;
    }

    private @Nullable String missing() {
        if (method == null || !FieldSyntax.isToken(method)) {
            return "request without a method";
        }
        if (protocol != null && !(method.equals(CONNECT) && FieldSyntax.isToken(protocol))) {
            return "protocol of another method than CONNECT, or one that is no token";
        }
        if (method.equals(CONNECT) && protocol == null) {
            boolean whole = scheme == null && path == null && authority != null;
            return whole ? null : "CONNECT with other fields than its authority";
        }
        if (scheme == null || path == null || path.isEmpty()) {
            return "request without a scheme or a path";
        }
        return path.charAt(0) == '/' || path.equals("*") ? null : "path that does not begin with a slash";
    }

    /**
     * The protocol that an extended CONNECT asks for, such as {@link #WEBSOCKET} (RFC 8441 section 4); null for any other request. Valid for
     * a section that is not malformed.
     */
    public @Nullable String protocol() {
        return protocol;
    }

    /**
     * Returns the head of a section that is not malformed. An extended CONNECT has the form that an upgrade has in HTTP/1.1: the method GET,
     * and the fields {@code Upgrade}, {@code Connection} and {@code Sec-WebSocket-Key}. So constraints, filters and handlers of an
     * application that know GET and these fields hold for it, too: with the method CONNECT, it could pass a constraint on GET.
     *
     * @throws Violation 400, 414 or 431: the request gets this answer
     */
    public RequestHead request() throws Violation {
        checkLimits();
        String extended = protocol;
        String verb = extended == null ? required(method) : "GET";
        boolean connects = verb.equals(CONNECT);
        String raw = required(connects ? authority : path);
        if (verb.length() + raw.length() > limits.requestLine()) {
            throw new Violation(Key.REQUEST_LINE_LIMIT);
        }
        RequestTarget target = TargetSyntax.read(verb, raw);
        if (extended != null) {
            keep("upgrade", extended);
            keep("connection", "Upgrade");
            if (extended.equals(WEBSOCKET)) {
                keep(KEY, SOME_KEY);
            }
        }
        FieldLines fields = fields();
        deciding.checkHost(Version.HTTP_2, fields);
        Fields shown = scatteredCookies ? joined(fields) : fields;
        RequestHead head = new RequestHead(verb, target, Version.HTTP_2, shown, deciding);
        return authority == null || connects ? head : head.sentTo(authority);
    }

    /** How many bytes of memory the bytes, texts and offsets of the head take. */
    public int held(RequestHead head) {
        return HeapSize.array(length) + head.target().held() + lines.held();
    }

    /**
     * Returns the trailer fields of a section that is not malformed.
     *
     * @throws Violation 431
     */
    public Fields trailers() throws Violation {
        checkLimits();
        return fields();
    }

    /** How many bytes of memory the bytes and offsets of trailers take. */
    public int heldByTrailers() {
        return HeapSize.array(length) + lines.held();
    }

    private void checkLimits() throws Violation {
        if (exceeded != null) {
            throw new Violation(exceeded);
        }
    }

    private static String required(@Nullable String value) {
        if (value == null) {
            throw new IllegalStateException("a malformed section has no head");
        }
        return value;
    }

    private FieldLines fields() {
        FieldLines fields = lines;
        fields.over(Arrays.copyOf(bytes, length));
        if (bytes.length > MAX_KEPT) {
            bytes = NONE;
        }
        return fields;
    }

    /** Cookies with other fields between them. No known client sends them so. */
    private static Fields joined(Fields fields) {
        String cookies = String.join("; ", fields.all("cookie"));
        FieldList all = new FieldList();
        for (int i = 0, n = fields.size(); i < n; i++) {
            all.add(fields.name(i), fields.value(i));
        }
        return all.set("cookie", cookies);
    }
}
