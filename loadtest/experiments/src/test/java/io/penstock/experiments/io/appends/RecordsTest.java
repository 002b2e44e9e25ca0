package io.penstock.experiments.io.appends;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how the records in a file are counted. A record is counted if it is complete and at the right position. */
class RecordsTest {
    @TempDir
    private Path directory;

    @Test
    void aMissingFileHasNoRecords() throws IOException {
        assertEquals(0, Records.present(directory.resolve("missing"), 10));
    }

    @Test
    void everyRecordOfACompleteFileIsCounted() throws IOException {
        for (long number = 1; number <= 10_000; number++) {
            put(number, number);
        }
        assertEquals(10_000, Records.present(file(), 10_000));
        assertEquals(9_000, Records.present(file(), 9_000));
    }

    @Test
    void missingAndMisplacedRecordsAreNotCounted() throws IOException {
        put(1, 1);
        put(2, 2);
        // Record 3 is not written, so the file has a hole.
        put(4, 5);
        put(5, 4);
        put(6, 6);
        // Records 7 and 8 are not written, and the file ends after record 6.
        assertEquals(3, Records.present(file(), 8));
    }

    @Test
    void anIncompleteRecordIsNotCounted() throws IOException {
        put(1, 1);
        try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
            channel.write(Records.encode(2).limit(Records.LENGTH - 1), Records.position(2));
        }
        assertEquals(1, Records.present(file(), 2));
    }

    private void put(long number, long place) throws IOException {
        try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(Records.encode(number), Records.position(place));
        }
    }

    private Path file() {
        return directory.resolve("records");
    }
}
