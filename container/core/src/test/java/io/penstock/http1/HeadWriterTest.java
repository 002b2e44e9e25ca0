package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.CannedResponse;
import io.penstock.exchange.SimulatedLink;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.http.ResponseHead;
import io.penstock.http.Version;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.SegmentPool;
import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class HeadWriterTest {
    private final SegmentPool pool = new SegmentPool(16, 1000);
    private final ResponsePipe pipe = new ResponsePipe(pool, 100);
    private final HeadWriter heads = new HeadWriter(pool);

    private static Http1CannedResponse canned(int status, Fields fields) {
        return new Http1CannedResponse(new CannedResponse(status, fields, null), null);
    }

    @Test
    void theMethodWholeThrowsAnExceptionAndReleasesMemoryIfAResponseIsTooLargeForASegment() {
        Http1CannedResponse longer = canned(404, Fields.EMPTY);
        assertThrows(BufferOverflowException.class, () -> heads.whole(longer));
        assertEquals(0, pool.inUse());
    }

    @Test
    void theMethodSendAcceptsAResponseThatIsLargerThanASegment() throws IOException {
        String location = "/" + "x".repeat(100);
        FieldList fields = new FieldList().add("Location", location);
        heads.send(pipe, canned(308, fields));
        SimulatedLink link = new SimulatedLink();
        link.room = 10_000;
        assertTrue(pipe.drainTo(link, ResponsePipe.NOTHING));
        String sent = link.taken.toString(StandardCharsets.ISO_8859_1);
        assertTrue(sent.startsWith("HTTP/1.1 308 "), sent);
        assertTrue(sent.contains("\r\nLocation: " + location + "\r\n"), sent);
        assertTrue(sent.endsWith("\r\n\r\n308 Permanent Redirect\n"), sent);
        assertEquals(0, pool.inUse());
    }

    @Test
    void memoryIsReleasedIfAFieldOfTheResponseThrowsAnError() {
        Fields failing = new Fields() {
            @Override
            public int size() {
                return 1;
            }

            @Override
            public String name(int index) {
                return "A";
            }

            @Override
            public String value(int index) {
                throw new OutOfMemoryError("on purpose");
            }
        };
        SegmentPool wide = new SegmentPool(1000, 10_000);
        ResponsePipe wideEnough = new ResponsePipe(wide, 4000);
        HeadWriter roomy = new HeadWriter(wide);
        RequestHead request =
                new RequestHead("GET", RequestTarget.origin("/"), Version.HTTP_1_1, new FieldList().add("Host", "x"));
        ResponseHead head = new ResponseHead(200, failing, 0);
        assertThrows(
                OutOfMemoryError.class,
                () -> roomy.send(wideEnough, request, head, null, Http1Response.Framing.LENGTH, 0, true));
        assertThrows(OutOfMemoryError.class, () -> roomy.informational(wideEnough, 103, failing));
        assertThrows(OutOfMemoryError.class, () -> roomy.send(wideEnough, canned(404, failing)));
        assertEquals(0, wide.inUse());
    }
}
