package io.penstock.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http.Fields;
import io.penstock.time.ManualClock;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SavedRequestsTest {
    private final ManualClock clock = new ManualClock();
    private final SavedRequests requests = new SavedRequests(100_000, clock);

    private static SavedRequest form(String location) {
        return new SavedRequest(
                "POST", location, Fields.EMPTY, ByteBuffer.wrap("a=1".getBytes(StandardCharsets.US_ASCII)));
    }

    private long keep(SavedRequest request) {
        return requests.keep(request, () -> {
            throw new AssertionError("the saved request was dropped");
        });
    }

    @Test
    void aRequestNumberFromAnEarlierDeploymentIsInvalid() {
        SavedRequests former = new SavedRequests(100_000, clock);
        for (int i = 0; i < 10; i++) {
            long old = former.keep(form("/shop/former"), () -> {});
            long current = keep(form("/shop/current"));
            requests.drop(old);
            assertNull(requests.loggedIn(old));
            assertNull(requests.take(old, "/shop/current"));
            assertEquals("/shop/current", requests.loggedIn(current));
        }
    }

    @Test
    void aSavedRequestIsReturnedAfterTheLoginOnlyOnceAndOnlyForItsUrl() {
        long number = keep(form("/shop/buy"));
        assertNull(requests.take(number, "/shop/buy"), "a saved request was returned before the login");
        assertEquals("/shop/buy", requests.loggedIn(number));
        assertNull(requests.take(number, "/shop/sell"));
        assertNotNull(requests.take(number, "/shop/buy"));
        assertNull(requests.take(number, "/shop/buy"));
        assertTrue(requests.isEmpty());
    }

    @Test
    void aSavedRequestExpiresOneMinuteAfterTheLogin() {
        long number = keep(form("/shop/buy"));
        assertEquals("/shop/buy", requests.loggedIn(number));
        clock.pass(Duration.ofSeconds(61));
        assertNull(requests.take(number, "/shop/buy"));
        assertTrue(requests.isEmpty());
    }
}
