package io.penstock.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.limits.ListenAddress.BindAddress;
import java.net.BindException;
import org.junit.jupiter.api.Test;

class ListenExceptionTest {
    @Test
    void theMessageForAPortBelow1024ContainsTheMissingPermission() {
        assertEquals(
                "cannot listen on 127.0.0.1:443: Permission denied. A process needs a permission for ports below 1024,"
                        + " such as CAP_NET_BIND_SERVICE",
                message(443, "Permission denied"));
    }

    @Test
    void theMessageForAnotherErrorOrAPortFrom1024AddsNothingToTheSystemError() {
        assertEquals("cannot listen on 127.0.0.1:443: Address already in use", message(443, "Address already in use"));
        assertEquals("cannot listen on 127.0.0.1:8443: Permission denied", message(8443, "Permission denied"));
    }

    private static String message(int port, String reason) {
        return new ListenException(new BindAddress.Network("127.0.0.1", port), new BindException(reason)).getMessage();
    }
}
