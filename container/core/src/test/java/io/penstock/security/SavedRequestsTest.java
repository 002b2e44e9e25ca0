package io.penstock.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http.Fields;
import io.penstock.time.ManualClock;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SavedRequestsTest {
    private final ManualClock clock = new ManualClock();
    private final SavedRequests requests = new SavedRequests(100_000, clock);

    private static SavedRequest form(String location) {
        return new SavedRequest(
                "POST", location, Fields.EMPTY, ByteBuffer.wrap("a=1".getBytes(StandardCharsets.US_ASCII)));
    }

    private long keep(SavedRequest request) {
        return requests.keep(request, null, () -> {
            throw new AssertionError("the saved request was dropped");
        });
    }

    @Test
    void aRequestNumberFromAnEarlierDeploymentIsInvalid() {
        SavedRequests former = new SavedRequests(100_000, clock);
        for (int i = 0; i < 10; i++) {
            long old = former.keep(form("/shop/former"), null, () -> {});
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

    @Test
    void theRequestsOfOneAddressTakeAQuarterOfTheBudget() throws Exception {
        InetAddress attacker = InetAddress.getByName("192.0.2.1");
        int kept = 100_000 / 4 / form("/shop/00").bytes();
        long honest = keep(form("/shop/buy"));
        List<Long> flood = new ArrayList<>();
        AtomicInteger dropped = new AtomicInteger();
        for (int i = 0; i < 10 * kept; i++) {
            flood.add(requests.keep(form("/shop/%02d".formatted(i % 100)), attacker, dropped::incrementAndGet));
        }
        assertTrue(requests.has(honest));
        assertEquals(9 * kept, dropped.get());
        assertEquals(
                flood.subList(9 * kept, 10 * kept),
                flood.stream().filter(requests::has).toList());
    }
}
