package io.penstock.experiments.io.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PatternTest {
    @TempDir
    private Path directory;

    @Test
    void everyByteOfALargeFileHasTheValueOfThePattern() throws IOException {
        Path file = directory.resolve("pattern");
        int size = (1 << 20) + 13;
        Pattern.write(file, size);
        byte[] content = Files.readAllBytes(file);
        assertEquals(size, content.length);
        for (int i = 0; i < size; i++) {
            assertEquals(Pattern.at(i), content[i], () -> "a byte of the file differs from the pattern");
        }
    }

    @Test
    void aPieceOfThePatternAtAWrongPositionIsDetected() throws IOException {
        for (int length = 1; length < 40; length++) {
            ByteBuffer piece = piece(1000, length);
            Pattern.checkEnds(piece, 1000);
            assertEquals(length, piece.remaining());
        }
        assertThrows(IOException.class, () -> Pattern.checkEnds(piece(1000, 20), 1001));
        assertThrows(IOException.class, () -> Pattern.checkEnds(piece(1000, 20), 999));
        assertThrows(IOException.class, () -> Pattern.checkEnds(piece(1000, 20), 1008));
    }

    @Test
    void thePatternIsCheckedAtPositionsBeyondTheRangeOfInt() throws IOException {
        long far = (1L << 31) + 5;
        Pattern.checkEnds(piece(far, 100), far);
        assertThrows(IOException.class, () -> Pattern.checkEnds(piece(5, 100), far));
    }

    private static ByteBuffer piece(long position, int length) {
        ByteBuffer piece = ByteBuffer.allocate(length);
        for (int i = 0; i < length; i++) {
            piece.put(Pattern.at(position + i));
        }
        return piece.flip();
    }
}
