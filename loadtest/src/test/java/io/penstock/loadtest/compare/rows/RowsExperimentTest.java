package io.penstock.loadtest.compare.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.loadtest.compare.setup.Lineup;
import io.penstock.loadtest.peers.JavaVersion;
import io.penstock.loadtest.peers.Server;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests which servers run, and in which order. The C loop ({@code epoll-loop}) is a minimal server in C. "All options" are the access log,
 * the metrics and the admin port of Penstock.
 */
class RowsExperimentTest {
    @Test
    void theCLoopAndPenstockWithAllOptionsAreMeasuredOnlyForHello256() {
        RowsPlan plan =
                new RowsPlan(Sheet.PLAIN, Work.all(Work.Size.FULL), Duration.ofSeconds(1), Duration.ofSeconds(1), 1);
        for (Work work : plan.works()) {
            boolean needed = work.id().equals("hello-256");
            assertEquals(needed ? List.of(Contender.LOOP, Contender.ALL_ON) : List.of(), plan.extra(work));
        }
    }

    @Test
    void penstockWithAllOptionsIsMeasuredNextToTheFirstOfThePenstockServers() {
        Lineup lineup = lineup(Server.PENSTOCK_DEFAULTS, Server.PENSTOCK, Server.TOMCAT);
        assertEquals(
                List.of("penstock-defaults", "penstock-all-on", "penstock", "tomcat", "epoll-loop"),
                RowsExperiment.inRound(1, lineup));
        assertEquals(
                List.of("penstock", "tomcat", "penstock-all-on", "penstock-defaults", "epoll-loop"),
                RowsExperiment.inRound(2, lineup));
    }

    @Test
    void aRoundWithoutPenstockHasNoRunWithAllOptions() {
        assertEquals(List.of("tomcat", "epoll-loop"), RowsExperiment.inRound(1, lineup(Server.TOMCAT)));
    }

    private static Lineup lineup(Server... servers) {
        return new Lineup(List.of(servers), List.of(), new JavaVersion(17, "17"));
    }
}
