package io.penstock.experiments.io.measure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the transfer of files that are too large for one call. Each call can transfer fewer bytes than requested. */
class WholeFileTest {
    private static final long BOOKS_FILE = 2_300_047_434L;

    private final ByteArrayOutputStream arrived = new ByteArrayOutputStream();

    @Test
    void partialTransfersAreRepeatedUntilTheWholeFileIsSent() throws IOException {
        byte[] content = content(1000);
        WholeFile.Transfer sevenAtMost = (position, count, to) -> {
            int length = (int) Math.min(7, count);
            return to.write(ByteBuffer.wrap(content, (int) position, length));
        };
        WholeFile.transfer(sevenAtMost, content.length, Channels.newChannel(arrived));
        assertArrayEquals(content, arrived.toByteArray());
    }

    @Test
    void eachTransferIsLimitedAndStartsAtTheEndOfThePreviousTransfer() throws IOException {
        List<Long> asked = new ArrayList<>();
        long[] expected = {0};
        WholeFile.transfer(
                (position, count, to) -> {
                    assertEquals(expected[0], position);
                    asked.add(count);
                    expected[0] = position + count;
                    return count;
                },
                BOOKS_FILE,
                Channels.newChannel(arrived));
        assertEquals(List.of((long) Integer.MAX_VALUE, BOOKS_FILE - Integer.MAX_VALUE), asked);
        assertEquals(BOOKS_FILE, expected[0]);
    }

    @Test
    void aTruncatedFileEndsTheTransferWithAnError() {
        EOFException ended = assertThrows(
                EOFException.class,
                () -> WholeFile.transfer(
                        (position, count, to) -> position < 5 ? 1 : 0, 10, Channels.newChannel(arrived)));
        assertEquals("the file ended at byte 5 of 10", ended.getMessage());
    }

    @Test
    void mappingsAreConsecutiveAndTheLastMappingHasTheRemainingBytes() throws IOException {
        List<String> mapped = new ArrayList<>();
        WholeFile.map(
                (position, size) -> {
                    mapped.add(position + "+" + size);
                    return ByteBuffer.allocate(0);
                },
                BOOKS_FILE,
                WholeFile.WINDOW,
                Channels.newChannel(arrived));
        assertEquals(List.of("0+1073741824", "1073741824+1073741824", "2147483648+152563786"), mapped);
    }

    @Test
    void partialWritesAreRepeatedUntilEachMappingIsSent() throws IOException {
        byte[] content = content(100);
        WholeFile.map(
                (position, size) ->
                        ByteBuffer.wrap(content, (int) position, (int) size).slice(),
                content.length,
                32,
                new ThreeAtATime(arrived));
        assertArrayEquals(content, arrived.toByteArray());
    }

    @Test
    void aSparseFileBeyondTwoGigabytesIsSentToItsLastByte(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("sparse.bin");
        long size = Integer.MAX_VALUE + 10L;
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(size);
        }
        // The first call reports most of the file as sent, but does not read these bytes. Reading the whole file would
        // take a long time.
        long[] position = {0};
        try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ)) {
            WholeFile.Transfer jumping = (at, count, to) -> {
                position[0] = at;
                return at == 0 ? Math.min(count, from.size() - 20) : from.transferTo(at, count, to);
            };
            WholeFile.transfer(jumping, from.size(), Channels.newChannel(arrived));
        }
        assertEquals(20, arrived.size());
        assertEquals(size - 20, position[0]);
    }

    private static byte[] content(int length) {
        byte[] content = new byte[length];
        for (int i = 0; i < length; i++) {
            content[i] = Pattern.at(i);
        }
        return content;
    }

    private record ThreeAtATime(ByteArrayOutputStream to) implements WritableByteChannel {
        @Override
        public int write(ByteBuffer from) {
            int length = Math.min(3, from.remaining());
            for (int i = 0; i < length; i++) {
                to.write(from.get());
            }
            return length;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            to.reset();
        }
    }
}
