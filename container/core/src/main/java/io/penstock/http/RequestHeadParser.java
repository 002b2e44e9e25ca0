package io.penstock.http;

import io.penstock.limits.Key;
import io.penstock.limits.MessageLimits;
import io.penstock.memory.HeapSize;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Parses request heads (RFC 9112 sections 2 to 5). A head may arrive in pieces. Each call of {@link #parse} continues where the call before
 * stopped. The parser is strict: it refuses a head that violates the grammar or a limit.
 *
 * <p>Thread: the connection's reactor. Owns the bytes of an unfinished head. A finished head owns its own bytes.
 *
 * <pre>
 *   BEFORE --(one empty line)--> REQUEST_LINE --line--> FIELDS --(empty line)--> BEFORE
 *      +---------------------------^
 * </pre>
 */
public final class RequestHeadParser {
    /** The longest method that is accepted. The registered methods are less than half as long. */
    private static final int LONGEST_METHOD = 64;

    // The initial values of {@code target}, {@code fields} and {@code deciding}. They are used until a request line is
    // parsed.
    private static final RequestTarget NO_TARGET = RequestTarget.origin("/");
    private static final FieldLines NO_FIELDS = new FieldLines();
    private static final DecidingFields NOTHING_DECIDES = new DecidingFields();

    private enum State {
        BEFORE,
        REQUEST_LINE,
        FIELDS
    }

    private final int mostOfLine;
    private final int mostBytes;
    private final int mostFields;
    private final LineReader lines = new LineReader(256, 2048) {
        @Override
        protected boolean line(byte[] in, int start, int end) throws Violation {
            return headLine(in, start, end);
        }
    };

    private State state = State.BEFORE;
    private int fieldsStart;
    private int finished;
    private String method = "";
    private RequestTarget target = NO_TARGET;
    private Version version = Version.HTTP_1_1;
    private FieldLines fields = NO_FIELDS;
    private DecidingFields deciding = NOTHING_DECIDES;

    public RequestHeadParser(MessageLimits limits) {
        this.mostOfLine = limits.requestLine();
        this.mostBytes = limits.headerBytes();
        this.mostFields = limits.headerCount();
    }

    /** Whether a head has arrived only in part. The empty line before the request line is no part of it. */
    public boolean isInside() {
        return state == State.FIELDS || lines.pending() > 0;
    }

    /**
     * How many bytes of memory the bytes, texts and offsets of the unfinished head take. If there is no unfinished head, the result is for
     * the last finished head. Objects of fixed size are not included.
     */
    public int held() {
        return isInside() ? lines.held() + target.held() + fields.held() : finished;
    }

    /** The request line of a head that is incomplete or was refused, as a head without fields. Null if the request line is incomplete. */
    public @Nullable RequestHead unfinished() {
        return state == State.FIELDS ? new RequestHead(method, target, version, Fields.EMPTY) : null;
    }

    /**
     * Consumes arrived bytes, at most up to the end of one head.
     *
     * @return the head; null if more bytes are needed
     * @throws Violation 400, 414, 431, 501 or 505; the following bytes must not be parsed as a request
     */
    public @Nullable RequestHead parse(ByteBuffer in) throws Violation {
        if (lines.read(in)) {
            return head();
        }
        checkUnfinished();
        return null;
    }

    /** Takes one line. Returns whether it is the empty line at the end of the head. */
    private boolean headLine(byte[] in, int start, int end) throws Violation {
        if (state == State.FIELDS) {
            return fieldLine(in, start, end);
        }
        if (state == State.BEFORE && start == end) {
            // RFC 9112 section 2.2: one empty line before the request line is skipped. A second empty line is refused.
            state = State.REQUEST_LINE;
        } else {
            requestLine(in, start, end);
        }
        return false;
    }

    private void requestLine(byte[] in, int start, int end) throws Violation {
        int methodEnd = FieldSyntax.tokenEnd(in, start, end);
        if (methodEnd == start || methodEnd == end || in[methodEnd] != ' ' || methodEnd - start > LONGEST_METHOD) {
            throw new Violation(400, "malformed method");
        }
        if (end - start > mostOfLine) {
            throw new Violation(Key.REQUEST_LINE_LIMIT);
        }
        int targetEnd = methodEnd + 1;
        while (targetEnd < end && in[targetEnd] != ' ') {
            targetEnd++;
        }
        if (targetEnd == methodEnd + 1 || targetEnd == end) {
            throw new Violation(400, "request line without target or version");
        }
        method = methodOf(in, start, methodEnd);
        version = versionOf(in, targetEnd + 1, end);
        String raw = new String(in, methodEnd + 1, targetEnd - methodEnd - 1, StandardCharsets.ISO_8859_1);
        target = TargetSyntax.read(method, raw);
        state = State.FIELDS;
        fieldsStart = end + 2;
        fields = new FieldLines();
        deciding = new DecidingFields();
    }

    private boolean fieldLine(byte[] in, int start, int end) throws Violation {
        if (start == end) {
            return true;
        }
        if (end + 2 - fieldsStart > mostBytes) {
            throw new Violation(Key.HEADER_BYTES_LIMIT);
        }
        if (fields.size() == mostFields) {
            throw new Violation(Key.HEADER_COUNT_LIMIT);
        }
        int nameEnd = fields.add(in, start, end);
        deciding.look(in, start, nameEnd);
        return false;
    }

    private RequestHead head() throws Violation {
        byte[] bytes = lines.handOver();
        finished = HeapSize.array(bytes.length) + target.held() + fields.held();
        fields.over(bytes);
        deciding.checkHost(version, fields);
        RequestHead head = new RequestHead(method, target, version, fields, deciding);
        method = "";
        target = NO_TARGET;
        fields = NO_FIELDS;
        deciding = NOTHING_DECIDES;
        state = State.BEFORE;
        return head;
    }

    /** Checks an unfinished head. It must not exceed a limit. An unfinished first line must be a possible beginning of a request line. */
    private void checkUnfinished() throws Violation {
        if (state == State.FIELDS) {
            // One byte more is allowed: the CR of the empty line.
            if (lines.length() - fieldsStart > mostBytes + 1) {
                throw new Violation(Key.HEADER_BYTES_LIMIT);
            }
            return;
        }
        byte[] in = lines.bytes();
        int start = lines.lineStart();
        int pending = lines.pending();
        int end = start + pending;
        int tokenEnd = FieldSyntax.tokenEnd(in, start, end);
        if (tokenEnd - start > LONGEST_METHOD) {
            throw new Violation(400, "method too long");
        }
        if (pending > mostOfLine + 1) {
            throw new Violation(Key.REQUEST_LINE_LIMIT);
        }
        boolean mayBeEmptyLine = tokenEnd == start && pending == 1 && in[start] == '\r' && state == State.BEFORE;
        if (tokenEnd < end && !mayBeEmptyLine && (tokenEnd == start || in[tokenEnd] != ' ')) {
            throw new Violation(400, "malformed method");
        }
    }

    private static String methodOf(byte[] in, int start, int end) {
        if (end - start == 3 && in[start] == 'G' && in[start + 1] == 'E' && in[start + 2] == 'T') {
            return "GET";
        }
        if (end - start == 4
                && in[start] == 'P'
                && in[start + 1] == 'O'
                && in[start + 2] == 'S'
                && in[start + 3] == 'T') {
            return "POST";
        }
        return new String(in, start, end - start, StandardCharsets.ISO_8859_1);
    }

    /** Reads the version: {@code HTTP/1.0}, or {@code HTTP/1.x} with another digit, which is treated as HTTP/1.1 (RFC 9112 section 2.3). */
    private static Version versionOf(byte[] in, int start, int end) throws Violation {
        if (end - start != 8
                || in[start] != 'H'
                || in[start + 1] != 'T'
                || in[start + 2] != 'T'
                || in[start + 3] != 'P'
                || in[start + 4] != '/'
                || !isDigit(in[start + 5])
                || in[start + 6] != '.'
                || !isDigit(in[start + 7])) {
            throw new Violation(400, "malformed HTTP version");
        }
        if (in[start + 5] != '1') {
            throw new Violation(505, "HTTP version not supported");
        }
        return in[start + 7] == '0' ? Version.HTTP_1_0 : Version.HTTP_1_1;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
