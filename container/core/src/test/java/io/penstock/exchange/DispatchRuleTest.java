package io.penstock.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.exchange.Admission.Mode;
import io.penstock.exchange.DispatchRule.Arrived;
import org.junit.jupiter.api.Test;

final class DispatchRuleTest {

    @Test
    void aBufferedRequestIsDispatchedWhenItsBodyIsComplete() {
        assertEquals(false, DispatchRule.dispatches(Mode.BUFFERED, Arrived.HEAD_ONLY));
        assertEquals(true, DispatchRule.dispatches(Mode.BUFFERED, Arrived.ALL));
    }

    @Test
    void aStreamingRequestIsDispatchedWithoutAWaitForItsBody() {
        for (Arrived arrived : Arrived.values()) {
            assertEquals(true, DispatchRule.dispatches(Mode.STREAMING, arrived));
        }
    }
}
