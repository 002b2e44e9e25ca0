package io.penstock.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.RecordedLog;
import io.penstock.http1.WireConfig;
import io.penstock.limits.HelpPage;
import io.penstock.limits.Key;
import io.penstock.time.ManualClock;
import io.penstock.work.ManualScheduler;
import io.penstock.work.Mapping;
import io.penstock.work.NoticedMappings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the lines of the log about requests that are answered 503: they are few, and together they have the number of all. */
class RefusalLogTest {
    private static final String OVERLOADED =
            " answered 503 in the last %s: overload-after = 2s, since more requests come than are served";

    private final ManualClock clock = new ManualClock();
    private final ManualScheduler scheduler = new ManualScheduler(clock);
    private final NoticedMappings noticed = new NoticedMappings();
    private final RecordedLog log = new RecordedLog();
    private final Mapping orders = new Mapping("/shop orders");
    private final RefusalLog refusals = new RefusalLog(new WireConfig().toConfig(), scheduler, noticed, log);

    @AfterEach
    void stop() {
        scheduler.stop();
    }

    private void refuse(int requests) {
        for (int i = 0; i < requests; i++) {
            refusals.refused(Key.OVERLOAD_AFTER, orders);
        }
    }

    private void pass(Duration time) throws Exception {
        clock.pass(time);
        scheduler.runDue();
    }

    @Test
    void theLinesTogetherHaveTheNumberOfAllRefusedRequests() throws Exception {
        refuse(500);
        assertEquals(List.of(), log.lines());
        pass(Duration.ofSeconds(1));
        refuse(20_000);
        pass(Duration.ofSeconds(59));
        assertEquals(1, log.lines().size());
        pass(Duration.ofSeconds(1));
        refuse(1);
        pass(Duration.ofMinutes(1));
        pass(Duration.ofMinutes(1));
        pass(Duration.ofMinutes(1));
        String last = "; the last one was for /shop orders" + HelpPage.OVERLOAD.more();
        assertEquals(
                List.of(
                        "WARN 500 requests were" + OVERLOADED.formatted("second") + last,
                        "WARN 20000 requests were" + OVERLOADED.formatted("minute") + last,
                        "WARN 1 request was" + OVERLOADED.formatted("minute") + last),
                log.lines());
        assertEquals(20_501, noticed.refusals(orders));
    }

    @Test
    void aRefusalAfterAQuietMinuteIsLoggedAfterASecond() throws Exception {
        refuse(3);
        pass(Duration.ofSeconds(1));
        pass(Duration.ofMinutes(1));
        refuse(4);
        pass(Duration.ofSeconds(1));
        assertEquals(2, log.lines().size());
    }

    @Test
    void limitsWithAnotherStatusAreNotLogged() throws Exception {
        refusals.refused(Key.REQUEST_LINE_LIMIT, orders);
        pass(Duration.ofSeconds(1));
        assertEquals(List.of(), log.lines());
        assertEquals(0, noticed.refusals(orders));
    }

    @Test
    void eachLimitHasALineOfItsOwn() throws Exception {
        refuse(1);
        refusals.refused(Key.QUEUE_AGE, null);
        pass(Duration.ofSeconds(1));
        assertEquals(2, log.lines().size());
    }
}
