package io.penstock.exchange;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counters;
import io.penstock.limits.ServerConfig;
import io.penstock.pipe.RequestPipe;
import io.penstock.pipe.SegmentPool;
import io.penstock.spool.SimulatedDisk;
import io.penstock.spool.Spool;
import io.penstock.spool.SpoolFile.Appended;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A body is complete on disk ({@link BodySpill#isWhole}) only if all its bytes were written successfully. */
final class BodySpillTest {
    private final SimulatedDisk disk = new SimulatedDisk();
    private final SegmentPool pool = new SegmentPool(1024, 100 * 1024);
    private final RequestPipe pipe = new RequestPipe(pool, 4096, () -> {});
    private Spool spool;
    private BodySpill spill;

    @BeforeEach
    void open() throws IOException {
        spool = disk.spool(ServerConfig.defaults().spool(), new Counters());
        spill = new BodySpill(spool.create(null), pipe.inlet(), () -> {}, () -> {});
    }

    @AfterEach
    void allMemoryAndDiskSpaceIsReleased() throws Exception {
        spill.close();
        spool.close();
        assertEquals(0, pool.inUse());
        assertEquals(0, spool.used());
    }

    private void write() {
        pipe.inlet().offer(ByteBuffer.allocate(3000));
        assertEquals(Appended.YES, spill.spill());
        await().until(() -> !spill.isWriting());
    }

    @Test
    void isWholeReturnsTrueAfterASuccessfulWrite() {
        write();
        assertTrue(spill.isWhole());
    }

    @Test
    void isWholeReturnsFalseAfterAFailedWrite() {
        disk.room(2000);
        write();
        assertNotNull(spill.failure());
        assertFalse(spill.isWhole());
    }
}
