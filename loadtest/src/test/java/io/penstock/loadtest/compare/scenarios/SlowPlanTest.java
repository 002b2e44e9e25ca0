package io.penstock.loadtest.compare.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The pool is for servers that have one: what else runs servlets keeps its own number of threads. */
class SlowPlanTest {
    private static final int OWN = 0;
    private static final int POOL = 123;
    private static final SlowPlan PLAN =
            new SlowPlan(200, 100, 100, 2, 100, Duration.ofSeconds(2), 100, POOL, 16384, 16384, Duration.ofSeconds(5));

    @ParameterizedTest
    @EnumSource(names = {"TOMCAT", "JETTY", "UNDERTOW"})
    void serversWithAPoolGetItsSize(Server server) {
        assertEquals(POOL, workersOf(server));
    }

    @Test
    void tomcat7KeepsItsTwoThousandThreads() {
        assertEquals(OWN, workersOf(Server.TOMCAT7));
    }

    @ParameterizedTest
    @EnumSource(names = {"PENSTOCK", "PENSTOCK_DEFAULTS", "TOMCAT_VIRTUAL", "JETTY_VIRTUAL", "TOMCAT_DEFAULTS"})
    void othersKeepTheirThreads(Server server) {
        assertEquals(OWN, workersOf(server));
    }

    private static int workersOf(Server server) {
        return PLAN.options(server, ServerOptions.serving(Path.of("."))).workers();
    }
}
