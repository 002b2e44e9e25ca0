package io.penstock.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.time.ManualClock;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests the limit of requests per second, which applies to each client address. */
final class RequestRatesTest {
    private final ManualClock clock = new ManualClock();
    private final AtomicInteger forgotten = new AtomicInteger();

    private RequestRates rates(int rate, int burst, int kept) {
        return new RequestRates(rate, burst, kept, clock, forgotten::incrementAndGet);
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static final InetAddress CLIENT = address("192.0.2.1");
    private static final InetAddress OTHER_CLIENT = address("192.0.2.2");

    @Test
    void aBurstIsAcceptedAndThenTheRateIsEnforced() {
        RequestRates rates = rates(4, 3, 10);
        for (int i = 0; i < 3; i++) {
            assertEquals(0, rates.secondsToWait(CLIENT));
        }
        assertEquals(1, rates.secondsToWait(CLIENT));
        assertEquals(0, rates.secondsToWait(OTHER_CLIENT));
        clock.pass(Duration.ofMillis(249));
        assertEquals(1, rates.secondsToWait(CLIENT));
        clock.pass(Duration.ofMillis(1));
        assertEquals(0, rates.secondsToWait(CLIENT));
        assertEquals(1, rates.secondsToWait(CLIENT), "more than one request was accepted in 250 ms");
    }

    @Test
    void aClientMaySendExactlyOneBurstAfterAnIdleHour() {
        RequestRates rates = rates(1, 5, 10);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 5; i++) {
                assertEquals(0, rates.secondsToWait(CLIENT));
            }
            assertEquals(1, rates.secondsToWait(CLIENT));
            clock.pass(Duration.ofHours(1));
        }
    }

    @Test
    void refusedRequestsDoNotDelayTheNextAcceptedRequest() {
        RequestRates rates = rates(1, 1, 10);
        assertEquals(0, rates.secondsToWait(CLIENT));
        for (int i = 0; i < 1000; i++) {
            assertEquals(1, rates.secondsToWait(CLIENT));
        }
        clock.pass(Duration.ofSeconds(1));
        assertEquals(0, rates.secondsToWait(CLIENT));
    }

    /**
     * The requests arrive at random times. The number of accepted requests never exceeds this limit: the burst, plus the rate multiplied by
     * the time since the start.
     */
    @Test
    void theNumberOfAcceptedRequestsNeverExceedsTheLimit() {
        Random random = new Random(19);
        int rate = 7;
        int burst = 4;
        RequestRates rates = rates(rate, burst, 10);
        long accepted = 0;
        long nanos = 0;
        for (int i = 0; i < 100_000; i++) {
            long step = random.nextInt(4) == 0 ? random.nextInt(300_000_000) : 0;
            clock.pass(Duration.ofNanos(step));
            nanos += step;
            long wait = rates.secondsToWait(CLIENT);
            if (wait == 0) {
                accepted++;
            }
            long most = burst + nanos * rate / 1_000_000_000L;
            assertEquals(true, accepted <= most, () -> "too many requests were accepted");
        }
        assertEquals(true, accepted > nanos / 1_000_000_000L * rate * 9 / 10, "too few requests were accepted");
    }

    @Test
    void ipv6AddressesWithTheSameFirst64BitsShareOneLimit() {
        RequestRates rates = rates(1, 1, 10);
        assertEquals(0, rates.secondsToWait(address("2001:db8::1")));
        assertEquals(1, rates.secondsToWait(address("2001:db8::ffff:2")));
        assertEquals(0, rates.secondsToWait(address("2001:db8:0:1::1")));
    }

    @Test
    void theLeastRecentlyActiveClientIsForgottenIfThereAreTooManyClients() {
        RequestRates rates = rates(1, 2, 2);
        assertEquals(0, rates.secondsToWait(CLIENT));
        assertEquals(0, rates.secondsToWait(OTHER_CLIENT));
        assertEquals(0, rates.secondsToWait(CLIENT));
        assertEquals(1, rates.secondsToWait(CLIENT));
        assertEquals(0, rates.secondsToWait(address("192.0.2.3")));
        assertEquals(1, forgotten.get());
        assertEquals(1, rates.secondsToWait(CLIENT), "the more recently active client was forgotten");
        assertEquals(0, rates.secondsToWait(OTHER_CLIENT));
        assertEquals(0, rates.secondsToWait(OTHER_CLIENT), "the forgotten client does not have a full burst");
    }
}
