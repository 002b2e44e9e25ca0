package io.penstock.experiments.capacity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.experiments.capacity.Simulation.Quantity;
import io.penstock.experiments.capacity.Site.Distribution;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares the results of the simulation with Little's law (L = λW) and with values that are computed by hand. All seeds are fixed, so the
 * results are always the same.
 */
class SimulationTest {
    private static final double NO_LIMIT = Double.MAX_VALUE;
    private static final double SECONDS = 20_000;

    /**
     * The test takes λ (arrivals per second) and W (seconds per visit) from the results of the simulation. It also compares λ and W with
     * the parameters of the site.
     */
    @ParameterizedTest
    @EnumSource
    void theNumberOfUsersIsTheArrivalRateTimesTheDurationOfAVisit(Distribution think) {
        Simulation traffic = Simulation.of(site(20, 10, think), 2, SECONDS, NO_LIMIT, 1);
        double expected = traffic.mean(Quantity.VISITS) * traffic.visitSeconds();
        near(expected, traffic.mean(Quantity.USERS), 0.02);
        near(2, traffic.mean(Quantity.VISITS), 0.02);
        near(19 * 10, traffic.visitSeconds(), 0.02);
        near(2 * 20, traffic.mean(Quantity.REQUESTS), 0.02);
    }

    @ParameterizedTest
    @EnumSource
    void theNumberOfSessionsIsTheArrivalRateTimesTheSessionLifetime(Distribution think) {
        Simulation traffic = Simulation.of(site(5, 10, think), 2, SECONDS, NO_LIMIT, 2);
        near(2 * (4 * 10 + 600), traffic.mean(Quantity.SESSIONS), 0.02);
        near(2 * (4 * 10 + 600) * (2000 + 1000), traffic.mean(Quantity.STORED), 0.03);
    }

    @Test
    void eachRequestCreatesASessionIfTheThinkTimeExceedsTheSessionTimeout() {
        Site slow = site(3, 100, Distribution.CONSTANT, 0);
        slow.keepAlive = Duration.ofSeconds(10);
        slow.sessionTimeout = Duration.ofSeconds(50);
        Simulation traffic = Simulation.of(slow, 2, SECONDS, NO_LIMIT, 3);
        near(2 * 3 * 50, traffic.mean(Quantity.SESSIONS), 0.02);
    }

    /**
     * After each request except the last, the connection stays open for the think time or for its timeout, whichever is shorter. After the
     * last request, the connection stays open for its timeout.
     */
    @Test
    void connectionsStayOpenUntilTheNextRequestOrTheirTimeout() {
        Simulation traffic = Simulation.of(site(20, 10, Distribution.EXPONENTIAL), 2, SECONDS, NO_LIMIT, 4);
        double beforeNext = 10 * (1 - Math.exp(-60 / 10.0));
        near(2 * 2 * (19 * beforeNext + 60), traffic.mean(Quantity.CONNECTIONS), 0.02);
    }

    @Test
    void aVisitThatIsNotReadOnlyReadsAndWritesTheSessionForEachRequestAfterTheFirst() {
        Site writer = site(10, 10, Distribution.EXPONENTIAL, 1);
        Simulation traffic = Simulation.of(writer, 2, SECONDS, NO_LIMIT, 5);
        // One call creates the session. Each of the nine later requests makes two calls: a read and a write. When the
        // session ends, there are two more calls: a read and a delete.
        near(2 * (1 + 9 * 2 + 2), traffic.mean(Quantity.OPERATIONS), 0.02);
        near(2 * (21 * 300 + 2 * 2000 + 9 * 200), traffic.mean(Quantity.TRAFFIC), 0.03);
    }

    @Test
    void theSessionIsWrittenAgainInAReadOnlyVisitAfterATenthOfTheSessionTimeout() {
        Site reader = site(10, 31, Distribution.CONSTANT, 0);
        Simulation traffic = Simulation.of(reader, 2, SECONDS, NO_LIMIT, 6);
        // A read-only visit writes the session again if the latest write is older than 60 s (a tenth of the session
        // timeout). The think time is 31 s, so the requests 3, 5, 7 and so on write the session. The number of
        // requests of a visit has a geometric distribution.
        double odd = oddRequestsAfterTheFirst(10);
        near(2 * (1 + 9 + odd + 2), traffic.mean(Quantity.OPERATIONS), 0.02);
    }

    /** Returns the mean number of odd-numbered requests in a visit, without the first request. */
    private static double oddRequestsAfterTheFirst(double requests) {
        double goesOn = 1 - 1 / requests;
        return goesOn * goesOn / (1 - goesOn * goesOn);
    }

    @Test
    void theWholeSessionIsReadForEachRequestIfSessionsAreNotSticky() {
        double sticky = Simulation.of(reader(true), 2, SECONDS, NO_LIMIT, 7).mean(Quantity.TRAFFIC);
        double any = Simulation.of(reader(false), 2, SECONDS, NO_LIMIT, 7).mean(Quantity.TRAFFIC);
        near(2 * 9 * 2000, any - sticky, 0.05);
    }

    @Test
    void aScaledSampleHasNearlyTheSameResultsAsTheWholeSite() {
        Site site = site(20, 10, Distribution.LOGNORMAL);
        Simulation whole = Simulation.of(site, 40, 2000, NO_LIMIT, 8);
        Simulation sample = Simulation.of(site, 40, 2000, 40 * 20 * 3800 / 16.0, 9);
        assertEquals(1, whole.scale());
        assertEquals(16, sample.scale(), 0.001);
        for (Quantity quantity : Quantity.values()) {
            near(whole.mean(quantity), sample.mean(quantity), 0.06);
            near(whole.p99(quantity), sample.p99(quantity), 0.08);
            assertTrue(sample.p99(quantity) > sample.mean(quantity), quantity.name());
        }
    }

    @Test
    void theSameSeedGivesTheSameResultAndAnotherSeedGivesAnotherResult() {
        Site site = site(20, 10, Distribution.LOGNORMAL);
        double first = Simulation.of(site, 2, 1000, NO_LIMIT, 10).mean(Quantity.STORED);
        assertEquals(first, Simulation.of(site, 2, 1000, NO_LIMIT, 10).mean(Quantity.STORED));
        assertNotEquals(first, Simulation.of(site, 2, 1000, NO_LIMIT, 11).mean(Quantity.STORED));
    }

    private static Site reader(boolean sticky) {
        Site site = site(10, 10, Distribution.EXPONENTIAL, 0);
        site.anyNode = !sticky;
        return site;
    }

    private static Site site(double requests, double think, Distribution spread) {
        return site(requests, think, spread, 0.2);
    }

    private static Site site(double requests, double think, Distribution spread, double writes) {
        Site site = new Site();
        site.requests = requests;
        site.think = Duration.ofMillis((long) (1000 * think));
        site.spread = spread;
        site.sessionTimeout = Duration.ofSeconds(600);
        site.sessionSize = 2000L;
        site.writes = writes;
        site.sessionOverhead = 1000L;
        site.callBytes = 300L;
        return site;
    }

    private static void near(double expected, double actual, double part) {
        assertEquals(expected, actual, part * expected);
    }
}
