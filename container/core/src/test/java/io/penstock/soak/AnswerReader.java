package io.penstock.soak;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Reads answers from pieces of any size, by the framing of RFC 9112. The reader is strict: it accepts only the framing that the server
 * uses.
 */
final class AnswerReader {
    private static final int LONGEST_LINE = 16_384;

    private final Heard heard;
    private final StringBuilder line = new StringBuilder();
    private final List<String> fields = new ArrayList<>();
    private Place place = Place.STATUS_LINE;
    private int status;
    private long left;

    private enum Place {
        STATUS_LINE,
        FIELDS,
        BODY,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILERS
    }

    /** Gets the parts of answers in order. */
    interface Heard {

        /** Called for the head of each final answer. Informational answers are skipped. */
        void head(int status, List<String> fields);

        void body(byte next);

        void end();
    }

    AnswerReader(Heard heard) {
        this.heard = heard;
    }

    /** Returns whether a part of an answer has been read, but not the complete answer. */
    boolean isInside() {
        return place != Place.STATUS_LINE || line.length() > 0;
    }

    void read(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            byte next = bytes.get();
            switch (place) {
                case BODY, CHUNK -> body(next);
                default -> lineByte(next);
            }
        }
    }

    private void body(byte next) {
        heard.body(next);
        if (--left == 0) {
            if (place == Place.BODY) {
                end();
            } else {
                place = Place.CHUNK_END;
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
        switch (place) {
            case STATUS_LINE -> {
                if (!whole.startsWith("HTTP/1.1 ")) {
                    throw new MixUp("no status line: " + whole);
                }
                status = Integer.parseInt(whole.substring(9, 12));
                fields.clear();
                place = Place.FIELDS;
            }
            case FIELDS -> {
                if (whole.isEmpty()) {
                    headIsWhole();
                } else {
                    fields.add(whole);
                }
            }
            case CHUNK_SIZE -> {
                left = size(whole);
                place = left == 0 ? Place.TRAILERS : Place.CHUNK;
            }
            case CHUNK_END -> {
                if (!whole.isEmpty()) {
                    throw new MixUp("a chunk without its CRLF: " + whole);
                }
                place = Place.CHUNK_SIZE;
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
            throw new MixUp("invalid size of a chunk: '" + whole + "'", e);
        }
    }

    private void headIsWhole() {
        if (status < 200) {
            place = Place.STATUS_LINE;
            return;
        }
        heard.head(status, List.copyOf(fields));
        if (field(fields, "Transfer-Encoding").equals("chunked")) {
            place = Place.CHUNK_SIZE;
            return;
        }
        String length = field(fields, "Content-Length");
        if (length.isEmpty()) {
            throw new MixUp("an answer of unknown length: " + fields);
        }
        left = Long.parseLong(length);
        place = Place.BODY;
        if (left == 0) {
            end();
        }
    }

    private void end() {
        place = Place.STATUS_LINE;
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
