package io.penstock.spool;

import static org.awaitility.Awaitility.await;

import io.penstock.limits.Counters;
import io.penstock.memory.ByteAccount;
import io.penstock.memory.Rounds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FullDiskMessageTest {
    private static final Path LOG = Path.of(System.getProperty("org.slf4j.simpleLogger.logFile", "target/tests.log"));

    @TempDir
    Path folder;

    @Test
    void theLogNamesTheFolderOfTheFullDisk() throws Exception {
        SpoolFolder ofSpool = SpoolFolder.create(folder);
        Spool spool = new Spool(
                ofSpool,
                () -> {
                    throw new IOException("No space left on device");
                },
                new SpoolThreads(1, 10, "", Rounds.unwatched()),
                new ByteAccount(1_000),
                new Counters());
        try {
            SpoolFile file = spool.create(null);
            file.append(new ByteBuffer[] {ByteBuffer.allocate(1)}, failure -> {});
            String line = "Spool files in " + ofSpool.path()
                    + " could not be written (1 since the last message): No space left on device\n";
            await().until(() ->
                    Files.readString(LOG, StandardCharsets.ISO_8859_1).contains(line));
            file.close();
        } finally {
            spool.close();
        }
    }
}
