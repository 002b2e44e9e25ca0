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

/** Tests the transfer of a file with several calls. Each call can transfer fewer bytes than requested. */
class WholeFileTest {
    private static final long LARGE_FILE_SIZE = 2_300_047_434L;

    private final ByteArrayOutputStream received = new ByteArrayOutputStream();

    @Test
    void partialTransfersAreRepeatedUntilTheWholeFileIsSent() throws IOException {
        byte[] content = content(1000);
        WholeFile.Transfer sevenBytesAtMost = (position, count, to) -> {
            int length = (int) Math.min(7, count);
            return to.write(ByteBuffer.wrap(content, (int) position, length));
        };
        WholeFile.transfer(sevenBytesAtMost, content.length, Channels.newChannel(received));
        assertArrayEquals(content, received.toByteArray());
    }

    @Test
    void eachTransferIsLimitedToTwoGigabytesAndStartsAtTheEndOfThePreviousTransfer() throws IOException {
        List<Long> requestedCounts = new ArrayList<>();
        long[] expected = {0};
        WholeFile.transfer(
                (position, count, to) -> {
                    assertEquals(expected[0], position);
                    requestedCounts.add(count);
                    expected[0] = position + count;
                    return count;
                },
                LARGE_FILE_SIZE,
                Channels.newChannel(received));
        assertEquals(List.of((long) Integer.MAX_VALUE, LARGE_FILE_SIZE - Integer.MAX_VALUE), requestedCounts);
        assertEquals(LARGE_FILE_SIZE, expected[0]);
    }

    @Test
    void transferringATruncatedFileCausesAnException() {
        EOFException ended = assertThrows(
                EOFException.class,
                () -> WholeFile.transfer(
                        (position, count, to) -> position < 5 ? 1 : 0, 10, Channels.newChannel(received)));
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
                LARGE_FILE_SIZE,
                WholeFile.WINDOW,
                Channels.newChannel(received));
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
                new ThreeBytesPerWrite(received));
        assertArrayEquals(content, received.toByteArray());
    }

    @Test
    void aFileLargerThanTwoGigabytesIsSentToItsLastByte(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("sparse.bin");
        long size = Integer.MAX_VALUE + 10L;
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(size);
        }
        // The first call of jumping reports most of the file as sent, but does not read these bytes. Reading the whole
        // file would take a long time.
        long[] position = {0};
        try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ)) {
            WholeFile.Transfer jumping = (at, count, to) -> {
                position[0] = at;
                return at == 0 ? Math.min(count, from.size() - 20) : from.transferTo(at, count, to);
            };
            WholeFile.transfer(jumping, from.size(), Channels.newChannel(received));
        }
        assertEquals(20, received.size());
        assertEquals(size - 20, position[0]);
    }

    private static byte[] content(int length) {
        byte[] content = new byte[length];
        for (int i = 0; i < length; i++) {
            content[i] = Pattern.at(i);
        }
        return content;
    }

    private record ThreeBytesPerWrite(ByteArrayOutputStream to) implements WritableByteChannel {
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
