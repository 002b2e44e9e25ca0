package io.penstock.http;

import io.penstock.limits.Key;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Parses a {@code multipart/form-data} body (RFC 7578, RFC 2046 section 5.1) as its bytes arrive, in pieces of any size. The parser passes
 * each part to a {@link PartSink} and keeps no part. Its time is linear in the size of the body, because it reads each byte at most a fixed
 * number of times.
 *
 * <p>Thread: one at a time. The parser must not be used after an exception.
 */
public final class MultipartParser {
    private static final int LONGEST_BOUNDARY = 70;
    private static final int BUFFER = 8192;

    private enum State {
        /** Before the first delimiter. The bytes are ignored. */
        PREAMBLE,
        /** In the content of a part. */
        CONTENT,
        /** Directly behind a delimiter. */
        DELIMITER,
        /** In the white space that may follow a delimiter. */
        PADDING,
        /** Behind the carriage return that ends a delimiter line. */
        DELIMITER_CR,
        /** Behind the first of the two dashes that mark the last delimiter. */
        DELIMITER_DASH,
        /** In the header of a part. */
        HEADER,
        /** Behind the last delimiter. The bytes are ignored. */
        EPILOGUE
    }

    private final MultipartLimits limits;
    private final PartSink sink;
    /**
     * CRLF, two dashes and the boundary. Only the first byte is a CR, so a match cannot begin inside another match. Therefore no matched
     * byte must be scanned again after a mismatch.
     */
    private final byte[] delimiter;

    private State state = State.PREAMBLE;
    /**
     * The number of delimiter bytes that match the end of the bytes scanned so far. The first value is 2: a body is parsed as if a CRLF
     * came before the body.
     */
    private int matched = 2;
    /**
     * The number of matched bytes that are not content, even if the match fails. They are the CRLF at the end of the part's header, or the
     * CRLF that is assumed before the body.
     */
    private int assumed = 2;

    private byte[] header = new byte[256];
    private int headerLength;
    /** The bytes of the headers of all parts so far. */
    private int headers;

    private int parts;
    private long total;
    /** Index 0 of the current array has this position in the body. */
    private long origin;

    /**
     * @param boundary the parameter {@code boundary} of the body's media type
     * @throws Violation 400 for an invalid boundary (RFC 2046 section 5.1.1)
     */
    public MultipartParser(String boundary, MultipartLimits limits, PartSink sink) throws Violation {
        this.limits = limits;
        this.sink = sink;
        if (boundary.isEmpty() || boundary.length() > LONGEST_BOUNDARY || boundary.endsWith(" ")) {
            throw new Violation(400, "multipart boundary empty, too long or ending in a space");
        }
        if (!boundary.chars().allMatch(c -> c >= ' ' && c < 0x7F)) {
            throw new Violation(400, "multipart boundary with a character that is not allowed");
        }
        delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Returns the parameter {@code boundary} of a media type.
     *
     * @throws Violation 400 if the media type has no such parameter
     */
    public static String boundary(MediaType type) throws Violation {
        String boundary = type.parameters().get("boundary");
        if (boundary == null) {
            throw new Violation(400, "multipart without a boundary");
        }
        return boundary;
    }

    /** Reads a whole body, including the epilogue. */
    public void parse(InputStream body) throws IOException, Violation {
        byte[] buffer = new byte[BUFFER];
        for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
            feed(buffer, 0, count);
        }
        finish();
    }

    /** Takes the next bytes of the body. */
    public void feed(byte[] bytes, int offset, int length) throws IOException, Violation {
        origin = total - offset;
        total += length;
        if (total > limits.totalBytes()) {
            throw new Violation(413, "it exceeds its maximum permitted size of " + limits.totalBytes() + " bytes");
        }
        int at = offset;
        int end = offset + length;
        while (at < end) {
            at = switch (state) {
                case PREAMBLE, CONTENT -> toDelimiter(bytes, at, end);
                case HEADER -> header(bytes, at, end);
                case EPILOGUE -> end;
                default -> delimiterLine(bytes[at], at + 1);
            };
        }
    }

    /**
     * Ends the body.
     *
     * @throws Violation 400 if the body is incomplete
     */
    public void finish() throws Violation {
        if (state != State.EPILOGUE) {
            throw new Violation(400, "multipart body without its last delimiter");
        }
    }

    /** Passes the content before the next delimiter to the sink. Returns the first index behind the delimiter, or {@code end}. */
    private int toDelimiter(byte[] bytes, int from, int end) throws IOException, Violation {
        int start = continueMatch(bytes, from, end);
        if (matched == delimiter.length) {
            return delimiterFound(start);
        }
        if (matched > 0) {
            return end;
        }
        int at = start;
        while (at < end) {
            if (bytes[at] != '\r') {
                at++;
                continue;
            }
            int length = matchLength(bytes, at, end);
            if (length == delimiter.length) {
                content(bytes, start, at);
                return delimiterFound(at + length);
            }
            if (at + length == end) {
                content(bytes, start, at);
                matched = length;
                assumed = 0;
                return end;
            }
            at += length;
        }
        content(bytes, start, end);
        return end;
    }

    /** Continues a delimiter that may have begun in earlier bytes. If the delimiter does not match, the earlier bytes were content. */
    private int continueMatch(byte[] bytes, int from, int end) throws IOException, Violation {
        int at = from;
        while (matched > 0 && matched < delimiter.length && at < end && bytes[at] == delimiter[matched]) {
            at++;
            matched++;
        }
        if (matched > 0 && matched < delimiter.length && at < end) {
            content(delimiter, assumed, matched);
            matched = 0;
        }
        return at;
    }

    private int matchLength(byte[] bytes, int at, int end) {
        int longest = Math.min(delimiter.length, end - at);
        int mismatch = Arrays.mismatch(bytes, at, at + longest, delimiter, 0, longest);
        return mismatch < 0 ? longest : mismatch;
    }

    private void content(byte[] bytes, int from, int to) throws IOException, Violation {
        if (state == State.CONTENT && to > from) {
            sink.data(bytes, from, to - from);
        }
    }

    private int delimiterFound(int next) throws IOException, Violation {
        if (state == State.CONTENT) {
            sink.end();
        }
        matched = 0;
        state = State.DELIMITER;
        return next;
    }

    /** Reads one byte of the line behind a delimiter. The line has two dashes, or white space and a line end. */
    private int delimiterLine(byte b, int next) throws Violation {
        boolean mayPad = state == State.DELIMITER || state == State.PADDING;
        if (mayPad && (b == ' ' || b == '\t')) {
            state = State.PADDING;
        } else if (mayPad && b == '\r') {
            state = State.DELIMITER_CR;
        } else if (state == State.DELIMITER && b == '-') {
            state = State.DELIMITER_DASH;
        } else if (state == State.DELIMITER_DASH && b == '-') {
            state = State.EPILOGUE;
        } else if (state == State.DELIMITER_CR && b == '\n') {
            if (++parts > limits.parts()) {
                throw new Violation(Key.MAX_PARTS);
            }
            headerLength = 0;
            state = State.HEADER;
        } else {
            throw new Violation(400, "malformed line behind a multipart delimiter");
        }
        return next;
    }

    /** Collects the header of a part, up to the empty line at its end. */
    private int header(byte[] bytes, int from, int end) throws IOException, Violation {
        int at = from;
        while (at < end) {
            byte b = bytes[at++];
            boolean afterCr = headerLength > 0 && header[headerLength - 1] == '\r';
            if (afterCr != (b == '\n')) {
                throw new Violation(400, "bare CR or LF in the header of a part");
            }
            keep(b);
            if (b == '\n' && isHeaderComplete()) {
                PartHeaders complete = PartHeaders.parse(header, headerLength);
                state = State.CONTENT;
                // The last line end of the header may be the beginning of a delimiter, because a part may be empty.
                matched = 2;
                assumed = 2;
                sink.begin(complete, origin + at);
                return at;
            }
        }
        return at;
    }

    private void keep(byte b) throws Violation {
        if (headerLength == limits.partHeaderBytes()) {
            throw new Violation(Key.PART_HEADER_LIMIT);
        }
        if (headers == limits.multipartHeaderBytes()) {
            throw new Violation(Key.MULTIPART_HEADER_LIMIT);
        }
        headers++;
        if (headerLength == header.length) {
            header = Arrays.copyOf(header, Math.min(2 * headerLength, limits.partHeaderBytes()));
        }
        header[headerLength++] = b;
    }

    private boolean isHeaderComplete() {
        return headerLength == 2 || (headerLength >= 4 && header[headerLength - 3] == '\n');
    }
}
