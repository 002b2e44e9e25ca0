package io.penstock.loadtest.compare.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
    private static final Row SPEED = new Row("w", Figure.REQUESTS, Bar.timesTheBest(1.2));
    private static final Row COST = new Row("w", Figure.CPU, Bar.timesTheLoopAtMost(1.85));
    private static final Row ALL_ON = new Row("w", Figure.REQUESTS, Bar.timesWithAllOnAtMost(1.03));
    private static final Row BOUND = new Row("w", Figure.SWITCHES, Bar.atMost(0.15));

    private final RowsResults results = new RowsResults();

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
        assertEquals("≤ 1.85 × the C loop", Bar.timesTheLoopAtMost(1.85).toString());
        assertEquals("≤ 2048", Bar.atMost(2048).toString());
    }

    private Verdict judge(Row row) {
        return Verdict.of(row, results, Optional.of("penstock"), List.of("tomcat", "jetty"));
    }

    private void put(Figure figure, String server, double... rounds) {
        for (int i = 0; i < rounds.length; i++) {
            results.add(new Turn(server, "w", i + 1, Map.of(figure, rounds[i]), "", 0));
        }
    }
}
