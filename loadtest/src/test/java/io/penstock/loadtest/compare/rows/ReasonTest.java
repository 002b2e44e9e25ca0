package io.penstock.loadtest.compare.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests the text that explains in the report why a {@link Bar} (a target) was missed, or why the verdict is open. The text contains only
 * measured values and errors.
 */
class ReasonTest {
    private static final Row SPEED = new Row("w", Figure.REQUESTS, Bar.timesTheBest(1.2));
    private static final Row COST = new Row("w", Figure.CPU, Bar.timesTheLoopAtMost(1.85));

    private final RowsResults results = new RowsResults();

    @Test
    void noReasonIsGivenIfTheBarIsMet() {
        put("penstock", 100, 10, 1, "closed early");
        assertEquals("", reason(SPEED, Verdict.Outcome.MET));
    }

    @Test
    void theReasonContainsTheProcessorTimeOfPenstockAndOfTheBestPeer() {
        put("penstock", 100, 12, 0.8, "");
        put("jetty", 90, 11, 0.8, "");
        put("tomcat", 80, 13, 0.8, "");
        assertEquals("server CPU µs/request: penstock 12.0, jetty 11.0", reason(SPEED, Verdict.Outcome.MISSED));
    }

    @Test
    void theReasonContainsTheProcessorUseOfABusyClientAndTheFirstError() {
        put("penstock", 100, 12, 1, "closed early");
        assertEquals(
                "the client used 1.00 processors; server CPU µs/request: penstock 12.0; closed early",
                reason(SPEED, Verdict.Outcome.MISSED));
    }

    @Test
    void theReasonContainsTheUnmeasuredServerIfTheVerdictIsOpen() {
        results.addGap(Contender.LOOP, "w", "no compiler");
        results.addGap("tomcat", "w", "it has ended");
        results.addGap("tomcat", "another", "it has not started");
        assertEquals("epoll-loop: no compiler", reason(COST, Verdict.Outcome.OPEN));
        assertEquals("tomcat: it has ended", reason(SPEED, Verdict.Outcome.OPEN));
    }

    private String reason(Row row, Verdict.Outcome outcome) {
        return new Reason(row, results, "penstock", List.of("jetty", "tomcat")).of(outcome);
    }

    private void put(String server, double requests, double cpu, double client, String trouble) {
        results.add(new Turn(
                server, "w", 1, Map.of(Figure.REQUESTS, requests, Figure.CPU, cpu, Figure.CLIENT, client), trouble, 0));
    }
}
