package io.penstock.loadtest.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.loadtest.compare.Work.Bar;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * Tests how a {@link Verdict} decides whether a {@link Bar} (a target) is met. The verdict uses the measurements of all rounds. The C loop
 * is a minimal server in C.
 */
class VerdictTest {
    private static final Work.Row SPEED = new Work.Row("w", Figure.REQUESTS, Bar.timesTheBest(1.2));
    private static final Work.Row COST = new Work.Row("w", Figure.CPU, new Bar(Bar.Against.EPOLL_LOOP, false, 1.85));
    private static final Work.Row ALL_ON = new Work.Row("w", Figure.REQUESTS, new Bar(Bar.Against.ALL_ON, false, 1.03));
    private static final Work.Row BOUND = new Work.Row("w", Figure.SWITCHES, Bar.atMost(0.15));

    private final Results results = new Results();

    @Test
    void theRatioIsTheMedianOfTheRatiosOfAllRounds() {
        // The machine becomes slower from round to round, but the ratio stays the same.
        put(Figure.REQUESTS, "penstock", 120, 60, 24);
        put(Figure.REQUESTS, "tomcat", 100, 50, 20);
        put(Figure.REQUESTS, "jetty", 90, 49, 30);
        assertEquals(new Verdict(OptionalDouble.of(1.2), Verdict.Outcome.MET), judge(SPEED));
    }

    @Test
    void theBarIsMissedIfTheRatioIsTooLow() {
        put(Figure.REQUESTS, "penstock", 119);
        put(Figure.REQUESTS, "jetty", 100);
        assertEquals(new Verdict(OptionalDouble.of(1.19), Verdict.Outcome.MISSED), judge(SPEED));
    }

    @Test
    void theBarIsMetIfThePeerAnswersNoRequest() {
        put(Figure.REQUESTS, "penstock", 5);
        put(Figure.REQUESTS, "jetty", 0);
        assertEquals(new Verdict(OptionalDouble.of(Double.POSITIVE_INFINITY), Verdict.Outcome.MET), judge(SPEED));
    }

    @Test
    void theVerdictIsOpenIfNoPeerIsMeasured() {
        put(Figure.REQUESTS, "penstock", 5);
        assertEquals(new Verdict(OptionalDouble.empty(), Verdict.Outcome.OPEN), judge(SPEED));
    }

    @Test
    void theVerdictIsOpenIfPenstockIsNotMeasured() {
        put(Figure.REQUESTS, "jetty", 5);
        assertEquals(new Verdict(OptionalDouble.empty(), Verdict.Outcome.OPEN), judge(SPEED));
    }

    @Test
    void theRatioForAllOptionsIsTheRateWithoutOptionsDividedByTheRateWithAllOptions() {
        put(Figure.REQUESTS, "penstock", 103);
        put(Figure.REQUESTS, "jetty", 10);
        put(Figure.REQUESTS, Contender.ALL_ON, 100);
        assertEquals(new Verdict(OptionalDouble.of(1.03), Verdict.Outcome.MET), judge(ALL_ON));
    }

    @Test
    void theProcessorTimeIsComparedWithTheCLoopAndNotWithAPeer() {
        put(Figure.CPU, "penstock", 9);
        put(Figure.CPU, "jetty", 15);
        assertEquals(new Verdict(OptionalDouble.empty(), Verdict.Outcome.OPEN), judge(COST));
        put(Figure.CPU, Contender.LOOP, 5);
        assertEquals(new Verdict(OptionalDouble.of(1.8), Verdict.Outcome.MET), judge(COST));
    }

    @Test
    void anAbsoluteBarCanBeMetWithoutAPeerAndTheRatioIsRelativeToTheLowestValueOfAPeer() {
        put(Figure.SWITCHES, "penstock", 0.2, 0.1, 0.15);
        assertEquals(new Verdict(OptionalDouble.empty(), Verdict.Outcome.MET), judge(BOUND));
        put(Figure.SWITCHES, "tomcat", 0.6, 0.6, 0.6);
        put(Figure.SWITCHES, "jetty", 0.3, 0.3, 0.3);
        assertEquals(0.5, judge(BOUND).ratio().orElseThrow(), 1e-9);
    }

    @Test
    void toStringOfABarIsAShortText() {
        assertEquals("≥ 1.35 × the best", Bar.timesTheBest(1.35).toString());
        assertEquals("≤ 1.85 × the C loop", new Bar(Bar.Against.EPOLL_LOOP, false, 1.85).toString());
        assertEquals("≤ 2048", Bar.atMost(2048).toString());
    }

    @Test
    void noReasonIsGivenIfTheBarIsMet() {
        put("penstock", 100, 10, 1, "closed early");
        assertEquals("", why(SPEED, Verdict.Outcome.MET));
    }

    @Test
    void theReasonContainsTheProcessorTimeOfPenstockAndOfTheBestPeer() {
        put("penstock", 100, 12, 0.8, "");
        put("jetty", 90, 11, 0.8, "");
        put("tomcat", 80, 13, 0.8, "");
        assertEquals("server CPU µs/request: penstock 12.0, jetty 11.0", why(SPEED, Verdict.Outcome.MISSED));
    }

    @Test
    void theReasonContainsTheProcessorUseOfABusyClientAndTheFirstNote() {
        put("penstock", 100, 12, 1, "closed early");
        assertEquals(
                "the client used 1.00 processors; server CPU µs/request: penstock 12.0; closed early",
                why(SPEED, Verdict.Outcome.MISSED));
    }

    @Test
    void theReasonContainsTheUnmeasuredServerIfTheVerdictIsOpen() {
        results.addGap(Contender.LOOP, "w", "no compiler");
        results.addGap("tomcat", "w", "it has ended");
        results.addGap("tomcat", "another", "it has not started");
        assertEquals("epoll-loop: no compiler", why(COST, Verdict.Outcome.OPEN));
        assertEquals("tomcat: it has ended", why(SPEED, Verdict.Outcome.OPEN));
    }

    private String why(Work.Row row, Verdict.Outcome outcome) {
        return new Verdict(OptionalDouble.empty(), outcome).why(row, results, "penstock", List.of("jetty", "tomcat"));
    }

    private void put(String server, double requests, double cpu, double client, String note) {
        results.add(new Results.Turn(
                server,
                "w",
                1,
                Map.of(Figure.REQUESTS, requests, Figure.CPU, cpu, Figure.CLIENT, client),
                "",
                note,
                0));
    }

    private Verdict judge(Work.Row row) {
        return Verdict.of(row, results, Optional.of("penstock"), List.of("tomcat", "jetty"));
    }

    private void put(Figure figure, String server, double... rounds) {
        for (int i = 0; i < rounds.length; i++) {
            results.add(new Results.Turn(server, "w", i + 1, Map.of(figure, rounds[i]), "", "", 0));
        }
    }
}
