package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.http.Fields;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.SegmentPool;
import java.nio.BufferOverflowException;
import org.junit.jupiter.api.Test;

final class HeadWriterTest {
    private final SegmentPool pool = new SegmentPool(16, 1000);
    private final HeadWriter heads = new HeadWriter(pool, new ResponsePipe(pool, 100), new DateField());

    @Test
    void answerThatCannotBeComposedHoldsNothing() {
        CannedResponse longer = new CannedResponse(404, Fields.EMPTY, null, true);
        assertThrows(BufferOverflowException.class, () -> heads.whole(longer));
        assertEquals(0, pool.inUse());
    }
}
