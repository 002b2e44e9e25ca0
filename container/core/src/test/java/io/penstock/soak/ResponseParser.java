package io.penstock.soak;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Parses HTTP responses (RFC 9112) from buffers of any size. The parser is strict: it accepts only the framing that the server uses.
 */
final class ResponseParser {
    private static final int LONGEST_LINE = 16_384;

    private final Heard heard;
    private final StringBuilder line = new StringBuilder();
    private final List<String> fields = new ArrayList<>();
    private State state = State.STATUS_LINE;
    private int status;
    private long left;

    private enum State {
        STATUS_LINE,
        FIELDS,
        BODY,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILERS
    }

    /** Receives the parts of each response in order. */
    interface Heard {

        /** Called for the head of each final response. Informational responses (1xx) are skipped. */
        void head(int status, List<String> fields);

        void body(byte next);

        void end();
    }

    ResponseParser(Heard heard) {
        this.heard = heard;
    }

    /** Returns whether a response has begun and is not complete. */
    boolean isInside() {
        return state != State.STATUS_LINE || line.length() > 0;
    }

    void read(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            byte next = bytes.get();
            switch (state) {
                case BODY, CHUNK -> body(next);
                default -> lineByte(next);
            }
        }
    }

    private void body(byte next) {
        heard.body(next);
        if (--left == 0) {
            if (state == State.BODY) {
                end();
            } else {
                state = State.CHUNK_END;
            }
        }
    }

    private void lineByte(byte next) {
        if (next != '\n') {
            line.append((char) (next & 0xff));
            if (line.length() > LONGEST_LINE) {
                throw new MixUp("a line that is too long: " + line.substring(0, 200));
            }
            return;
        }
        int end = line.length() - 1;
        if (end < 0 || line.charAt(end) != '\r') {
            throw new MixUp("a line without CR: " + line);
        }
        String whole = line.substring(0, end);
        line.setLength(0);
        line(whole);
    }

    private void line(String whole) {
        switch (state) {
            case STATUS_LINE -> {
                if (!whole.startsWith("HTTP/1.1 ")) {
                    throw new MixUp("no status line: " + whole);
                }
                status = Integer.parseInt(whole.substring(9, 12));
                fields.clear();
                state = State.FIELDS;
            }
            case FIELDS -> {
                if (whole.isEmpty()) {
                    headIsComplete();
                } else {
                    fields.add(whole);
                }
            }
            case CHUNK_SIZE -> {
                left = size(whole);
                state = left == 0 ? State.TRAILERS : State.CHUNK;
            }
            case CHUNK_END -> {
                if (!whole.isEmpty()) {
                    throw new MixUp("a chunk without its CRLF: " + whole);
                }
                state = State.CHUNK_SIZE;
            }
            case TRAILERS -> {
                if (whole.isEmpty()) {
                    end();
                }
            }
            case BODY, CHUNK -> throw new IllegalStateException();
        }
    }

    private static long size(String whole) {
        try {
            return Long.parseLong(whole, 16);
        } catch (NumberFormatException e) {
            throw new MixUp("an invalid chunk size: '" + whole + "'", e);
        }
    }

    private void headIsComplete() {
        if (status < 200) {
            state = State.STATUS_LINE;
            return;
        }
        heard.head(status, List.copyOf(fields));
        if (field(fields, "Transfer-Encoding").equals("chunked")) {
            state = State.CHUNK_SIZE;
            return;
        }
        String length = field(fields, "Content-Length");
        if (length.isEmpty()) {
            throw new MixUp("a response of unknown length: " + fields);
        }
        left = Long.parseLong(length);
        state = State.BODY;
        if (left == 0) {
            end();
        }
    }

    private void end() {
        state = State.STATUS_LINE;
        heard.end();
    }

    /** Returns the value of the first field with the given name, or an empty text. */
    static String field(List<String> fields, String name) {
        String start = name.toLowerCase(Locale.ROOT) + ":";
        for (String field : fields) {
            if (field.toLowerCase(Locale.ROOT).startsWith(start)) {
                return field.substring(start.length()).strip();
            }
        }
        return "";
    }
}
