package io.penstock.soak;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of a request or a response. A large content needs little memory, because each repeated word is stored only once.
 */
final class Content {
    private final List<Piece> pieces = new ArrayList<>();
    private long length;

    /** The word is repeated endlessly. The piece consists of {@code count} bytes of the repetition, from index {@code start}. */
    private record Piece(byte[] word, long start, long count) {}

    Content text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return add(new Piece(bytes, 0, bytes.length));
    }

    Content repeated(String word, long count) {
        return repeated(word, 0, count);
    }

    /** Repeats the word endlessly, and adds {@code count} bytes of the repetition, from index {@code start}. */
    Content repeated(String word, long start, long count) {
        return add(new Piece(word.getBytes(StandardCharsets.ISO_8859_1), start, count));
    }

    Content then(Content other) {
        other.pieces.forEach(this::add);
        return this;
    }

    private Content add(Piece piece) {
        if (piece.count > 0) {
            pieces.add(piece);
            length += piece.count;
        }
        return this;
    }

    long length() {
        return length;
    }

    Cursor cursor() {
        return new Cursor();
    }

    /** Reads the bytes once, in order. */
    final class Cursor {
        private int piece;
        private long inPiece;
        private long position;

        long position() {
            return position;
        }

        boolean isAtEnd() {
            return position == length;
        }

        /** Returns the next byte. The cursor must not be at the end. */
        byte next() {
            Piece now = pieces.get(piece);
            byte found = now.word[(int) ((now.start + inPiece) % now.word.length)];
            position++;
            if (++inPiece == now.count) {
                piece++;
                inPiece = 0;
            }
            return found;
        }

        void fill(ByteBuffer target) {
            while (target.hasRemaining() && !isAtEnd()) {
                target.put(next());
            }
        }
    }
}
