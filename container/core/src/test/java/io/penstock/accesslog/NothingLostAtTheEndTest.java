package io.penstock.accesslog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the close of the access log. The file has a line for each request that ended before the close. */
class NothingLostAtTheEndTest {

    @TempDir
    Path folder;

    @RepeatedTest(20)
    void allRequestsBeforeTheCloseAreWrittenToTheFile() throws Exception {
        LogSite site = new LogSite(folder.resolve("access.log"), "x-id", 10_000);
        int told = 3000;
        for (int i = 0; i < told; i++) {
            site.log.ended(Ended.get("/").number(i).summary());
        }
        site.close();
        List<String> expected =
                IntStream.range(0, told).mapToObj(i -> "c7-" + i).toList();
        List<String> lines = LogSite.lines(site.file);
        assertEquals(expected, lines.subList(2, lines.size()));
        assertEquals(0, site.dropped());
    }

    @Test
    void aRequestIsCountedAsDroppedIfItEndsAfterTheClose() throws Exception {
        LogSite site = new LogSite(folder.resolve("access.log"), "x-id", 16);
        site.close();
        site.tell("/late");
        assertEquals(1, site.dropped());
        assertEquals(List.of(), LogSite.lines(site.file));
    }
}
