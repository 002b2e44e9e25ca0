package io.penstock.http;

import io.penstock.limits.Key;
import io.penstock.limits.MessageLimits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Parses request heads, which may arrive in pieces; each call continues where the last one stopped (RFC 9112 sections 2 to 5). There is
 * only a strict mode: a head that violates the grammar or a limit is refused.
 *
 * <p>Thread: one, the connection's reactor. Owns the bytes of the unfinished head; a finished head owns its bytes itself.
 *
 * <pre>
 *   BEFORE --(one empty line)--> REQUEST_LINE --line--> FIELDS --(empty line)--> BEFORE
 *      +---------------------------^
 * </pre>
 */
public final class RequestHeadParser {
    /** No registered method is half as long. */
    private static final int LONGEST_METHOD = 64;

    // The target before the request line is parsed.
    private static final RequestTarget NO_TARGET = RequestTarget.origin("/");
    private static final FieldLines NO_FIELDS = new FieldLines();
    private static final DecidingFields NOTHING_DECIDES = new DecidingFields();

    private enum State {
        BEFORE,
        REQUEST_LINE,
        FIELDS
    }

    private final MessageLimits limits;
    private final LineReader lines = new LineReader() {
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
        this.limits = limits;
    }

    /** Whether the first bytes of a head have arrived, but not the last. */
    public boolean isInside() {
        return state != State.BEFORE || lines.pending() > 0;
    }

    /** Bytes of memory that the unfinished head occupies; if there is none, those of the last finished head. */
    public int held() {
        return isInside() ? lines.held() : finished;
    }

    /** The request line of a head that is incomplete or was refused; null if that line is incomplete, too. */
    public @Nullable RequestHead unfinished() {
        return state == State.FIELDS ? new RequestHead(method, target, version, Fields.EMPTY) : null;
    }

    /**
     * Consumes the bytes of one head that have arrived.
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

    /** Returns whether this was the empty line that ends the head. */
    private boolean headLine(byte[] in, int start, int end) throws Violation {
        if (state == State.FIELDS) {
            return fieldLine(in, start, end);
        }
        if (state == State.BEFORE && start == end) {
            state = State.REQUEST_LINE; // RFC 9112 section 2.2: one empty line is skipped, a second one refused
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
        if (end - start > limits.requestLine()) {
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
        if (end + 2 - fieldsStart > limits.headerBytes()) {
            throw new Violation(Key.HEADER_BYTES_LIMIT);
        }
        if (fields.size() == limits.headerCount()) {
            throw new Violation(Key.HEADER_COUNT_LIMIT);
        }
        int nameEnd = fields.add(in, start, end);
        deciding.look(in, start, nameEnd);
        return false;
    }

    private RequestHead head() throws Violation {
        byte[] bytes = lines.handOver();
        finished = bytes.length;
        fields.over(bytes);
        HostField.check(version, fields, deciding);
        RequestHead head = new RequestHead(method, target, version, fields, deciding);
        method = "";
        target = NO_TARGET;
        fields = NO_FIELDS;
        deciding = NOTHING_DECIDES;
        state = State.BEFORE;
        return head;
    }

    /** Checks an unfinished line: it must not be too long already, and it must be the possible beginning of a request line. */
    private void checkUnfinished() throws Violation {
        if (state == State.FIELDS) {
            if (lines.length() - fieldsStart > limits.headerBytes() + 1) { // allows for the CR of the last, empty line
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
        if (pending > limits.requestLine() + 1) {
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

    /** Exactly {@code HTTP/1.0} or {@code HTTP/1.x} (RFC 9112 section 2.3). */
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
