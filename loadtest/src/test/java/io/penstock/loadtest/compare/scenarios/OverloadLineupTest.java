package io.penstock.loadtest.compare.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.compare.setup.Lineup;
import io.penstock.loadtest.peers.JavaVersion;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests which servers are measured in the overload scenario. Each server runs with its default settings. Servers with virtual threads are
 * excluded, since the number of these threads cannot be limited.
 */
class OverloadLineupTest {
    private static final JavaVersion JAVA = new JavaVersion(25, "25.0.3");

    @Test
    void everyServerRunsOnceWithItsDefaultSettings() {
        Lineup lineup = adapt(Server.PENSTOCK, Server.TOMCAT7, Server.TOMCAT_DEFAULTS, Server.TOMCAT);
        assertEquals(
                List.of(Server.PENSTOCK_DEFAULTS, Server.TOMCAT7_DEFAULTS, Server.TOMCAT_DEFAULTS), lineup.servers());
        assertEquals(List.of(), lineup.leftOut());
    }

    @Test
    void serversWithVirtualThreadsAreExcludedAndTheReasonIsReported() {
        Lineup lineup = adapt(Server.JETTY, Server.JETTY_VIRTUAL);
        assertEquals(List.of(Server.JETTY_DEFAULTS), lineup.servers());
        assertTrue(lineup.leftOut().get(0).startsWith("jetty-virtual is left out: virtual threads cannot be limited"));
    }

    @Test
    void onlyPenstockIsMeasuredWithSeveralQueueSettings() {
        OverloadPlan plan = new OverloadPlan(
                2000,
                Duration.ofSeconds(60),
                4,
                20,
                Duration.ofSeconds(2),
                100,
                100,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofMillis(500),
                100);
        assertEquals(
                List.of("default", "queue-age=500ms", "queue=100"),
                plan.setups(Server.PENSTOCK_DEFAULTS).stream()
                        .map(OverloadSetup::name)
                        .toList());
        assertEquals(List.of(OverloadSetup.DEFAULTS), plan.setups(Server.JETTY_DEFAULTS));
        ServerOptions aged = plan.setups(Server.PENSTOCK_DEFAULTS).get(1).of(ServerOptions.serving(Path.of(".")));
        assertEquals(Map.of("queue-age", "500ms"), aged.own());
    }

    private static Lineup adapt(Server... wished) {
        return new OverloadCommand().adapt(new Lineup(List.of(wished), List.of(), JAVA));
    }
}
