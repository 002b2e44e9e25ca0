package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.pipe.BodyFailure;
import io.penstock.pipe.RequestPipe;
import io.penstock.pipe.SegmentPool;
import jakarta.servlet.ServletException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tests whether the server attributes a failure to the client or to the application. */
class FailureTest {
    private final RequestPipe pipe = new RequestPipe(new SegmentPool(1024, 1024), 1024, () -> {});

    private Failure failureOfRead() {
        BodyFailure thrown = assertThrows(BodyFailure.class, () -> pipe.outlet().read(new byte[1], 0, 1));
        return Failure.of(new ServletException(thrown));
    }

    @Test
    void aConnectionFailureDuringTheRequestBodyIsAttributedToTheClient() {
        pipe.inlet().fail(new IOException("reset by peer"));
        assertEquals(Failure.Blame.CLIENT, failureOfRead().blame());
    }

    @Test
    void aReadFailureIsAttributedToTheClientIfTheRequestBodyWasClosed() {
        pipe.outlet().close();
        assertEquals(Failure.Blame.CLIENT, failureOfRead().blame());
    }

    @Test
    void anExceptionOfTheApplicationIsAttributedToTheApplication() {
        assertEquals(
                Failure.Blame.APPLICATION, Failure.of(new IOException("disk")).blame());
    }
}
