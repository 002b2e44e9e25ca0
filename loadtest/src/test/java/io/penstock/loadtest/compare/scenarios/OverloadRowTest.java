package io.penstock.loadtest.compare.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.loadtest.client.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * Tests the row of a server after one second of overload. The server can answer 100 requests per second. The clients wait at most two
 * seconds for a response. Goodput is the number of good responses per second. A bar is a target for a value of the row. The queue age is
 * the maximum time of a request in the queue.
 */
class OverloadRowTest {
    private static final long MILLI = 1_000_000;
    private static final OverloadPlan PLAN = new OverloadPlan(
            1000,
            Duration.ofSeconds(1),
            1,
            10,
            Duration.ofSeconds(2),
            100,
            100,
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            Duration.ofMillis(500),
            100);
    private static final OverloadSetup AGED = OverloadSetup.with("queue-age", "500ms", 500 * MILLI);
    private static final OptionalLong AT_ONCE = OptionalLong.of(20);

    private final Results results = new Results(OverloadRow.columns(PLAN));
    private final Results.Round round = results.round("penstock", "", 1);

    @Test
    void goodputIsReportedInPercentOfTheServerCapacity() {
        List<Answer> answers = many(95, 10, 200);
        // This response is good, but it arrives after the end of the overload.
        answers.add(new Answer(990 * MILLI, 20 * MILLI, 200, null));
        answers.add(new Answer(0, 2000 * MILLI, 0, Failure.DEADLINE));
        put(OverloadSetup.DEFAULTS, answers, AT_ONCE);
        assertEquals(95.0, number("goodput"));
        assertEquals(95.0, number("shareOfCapacity"));
        assertEquals("none", text("barsMissed"));
    }

    @Test
    void responsesAfterTheDeadlineAreNotPartOfTheGoodput() {
        List<Answer> answers = new ArrayList<>(many(94, 10, 200));
        answers.addAll(Collections.nCopies(6, new Answer(-1500 * MILLI, 2001 * MILLI, 200, null)));
        put(OverloadSetup.DEFAULTS, answers, AT_ONCE);
        assertEquals(94.0, number("goodput"));
        assertEquals(10.0, number("goodP99Millis"), 0.01);
    }

    @Test
    void goodputBelowItsBarIsReportedAsMissed() {
        put(OverloadSetup.DEFAULTS, many(94, 10, 200), AT_ONCE);
        assertEquals("goodput", text("barsMissed"));
    }

    @Test
    void immediateRefusalsAndRefusalsAfterTheQueueAgeAreCountedSeparately() {
        List<Answer> answers = many(100, 10, 200);
        answers.addAll(many(50, 3, 503));
        answers.addAll(many(50, 530, 503));
        put(AGED, answers, AT_ONCE);
        assertEquals(25.0, number("refusedShare"));
        assertEquals(3.0, number("refusedP999Millis"), 0.01);
        assertEquals(25.0, number("agedShare"));
        assertEquals(30.0, number("agedP999BeyondMillis"), 0.5);
        assertEquals("none", text("barsMissed"));
    }

    @Test
    void slowRefusalsAreReportedAsMissedBars() {
        List<Answer> answers = many(100, 10, 200);
        answers.addAll(many(50, 60, 503));
        answers.addAll(many(50, 560, 503));
        put(AGED, answers, AT_ONCE);
        assertEquals("503 at once, 503 for age", text("barsMissed"));
    }

    @Test
    void allRefusalsAreCountedAsImmediateIfThereIsNoQueueAge() {
        List<Answer> answers = many(100, 10, 200);
        answers.addAll(many(100, 1900, 503));
        put(OverloadSetup.DEFAULTS, answers, AT_ONCE);
        assertEquals(50.0, number("refusedShare"));
        assertEquals(0.0, number("agedShare"));
        assertNull(round.number(measure("agedP999BeyondMillis")));
        assertEquals("503 at once", text("barsMissed"));
    }

    @Test
    void aSlowOrMissingRecoveryIsReportedAsAMissedBar() {
        put(OverloadSetup.DEFAULTS, many(100, 10, 200), OptionalLong.of(1001));
        assertEquals("back to normal", text("barsMissed"));
        put(OverloadSetup.DEFAULTS, many(100, 10, 200), OptionalLong.empty());
        assertEquals("back to normal", text("barsMissed"));
        assertEquals(Double.POSITIVE_INFINITY, number("recoveryMillis"));
        assertEquals("not normal again within 30 s", text("note"));
    }

    @Test
    void outdatedRequestsAreCountedSeparatelyFromImmediateRefusals() {
        List<Answer> answers = many(100, 10, 200);
        answers.addAll(many(10, 450, 503));
        answers.addAll(many(80, 3, 503));
        answers.addAll(many(10, 530, 503));
        // The server reports 10 outdated requests: they were in the queue when the server detected the overload. Of
        // the refusals within the queue age of 500 ms, the report counts the 10 slowest as outdated.
        put(AGED, answers, 10, AT_ONCE);
        assertEquals(40.0, number("refusedShare"));
        assertEquals(3.0, number("refusedP999Millis"), 0.01);
        assertEquals(5.0, number("outdatedShare"));
        assertEquals(450.0, number("outdatedP999Millis"), 0.5);
        assertEquals(5.0, number("agedShare"));
        assertEquals("none", text("barsMissed"));
    }

    private void put(OverloadSetup setup, List<Answer> answers, OptionalLong recovery) {
        put(setup, answers, 0, recovery);
    }

    private void put(OverloadSetup setup, List<Answer> answers, long outdated, OptionalLong recovery) {
        OverloadRow row = new OverloadRow(round, PLAN, setup);
        row.putGood(new Answers(answers));
        row.putRefusals(new Answers(answers), outdated);
        row.putRecovery(recovery);
    }

    private static List<Answer> many(int count, long latencyMillis, int status) {
        return new ArrayList<>(Collections.nCopies(count, new Answer(0, latencyMillis * MILLI, status, null)));
    }

    private Double number(String key) {
        return round.number(measure(key));
    }

    private String text(String key) {
        return round.text(measure(key));
    }

    private Measure measure(String key) {
        return results.columns().stream()
                .filter(column -> column.key().equals(key))
                .findFirst()
                .orElseThrow();
    }
}
