package io.penstock.loadtest.compare.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the options with which the servers are started. A server gets the configured pool size if it is not Penstock, has tuned settings,
 * and has a thread pool. All other servers keep their default number of threads. The pipe budget limits the memory of the buffers (pipes)
 * between clients and workers.
 */
class SlowPlanTest {
    private static final int DEFAULT_THREADS = 0;
    private static final int POOL = 123;
    private static final int BUDGET = 64 << 20;
    private static final SlowPlan PLAN = new SlowPlan(
            200,
            100,
            100,
            2,
            100,
            Duration.ofSeconds(2),
            100,
            new SlowPlan.Sockets(16384, 16384, 65536),
            new SlowPlan.Servers(POOL, BUDGET),
            Duration.ofSeconds(5));

    @ParameterizedTest
    @EnumSource(names = {"TOMCAT", "JETTY", "JETTY_EAGER", "UNDERTOW", "UNDERTOW_BUFFERING"})
    void tunedServersWithAThreadPoolGetTheConfiguredPoolSize(Server server) {
        assertEquals(POOL, optionsOf(server).workers());
    }

    @Test
    void tomcat7KeepsItsDefaultNumberOfThreads() {
        assertEquals(DEFAULT_THREADS, optionsOf(Server.TOMCAT7).workers());
    }

    @ParameterizedTest
    @EnumSource(names = {"PENSTOCK", "PENSTOCK_DEFAULTS", "TOMCAT_VIRTUAL", "JETTY_VIRTUAL", "TOMCAT_DEFAULTS"})
    void theThreadCountIsNotChangedForPenstockOrVirtualThreadsOrDefaultSettings(Server server) {
        assertEquals(DEFAULT_THREADS, optionsOf(server).workers());
    }

    @ParameterizedTest
    @EnumSource
    void everyServerGetsTheSameSendBufferSize(Server server) {
        assertEquals(65536, optionsOf(server).sendBuffer());
    }

    @Test
    void onlyPenstockWithTunedSettingsGetsThePipeBudget() {
        assertEquals(
                Map.of("pipe-budget", "67108864"), optionsOf(Server.PENSTOCK).own());
        assertEquals(Map.of(), optionsOf(Server.PENSTOCK_DEFAULTS).own());
        assertEquals(Map.of(), optionsOf(Server.JETTY).own());
    }

    @Test
    void theAllowedMemoryIsTheHeapPlusThePipeBudgetPlus256Megabytes() {
        assertEquals((256L + 64 + 256) << 20, PLAN.residentAllowed(256L << 20));
    }

    private static ServerOptions optionsOf(Server server) {
        return PLAN.options(server, ServerOptions.serving(Path.of(".")));
    }
}
