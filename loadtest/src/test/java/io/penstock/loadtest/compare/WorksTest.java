package io.penstock.loadtest.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the table of comparisons and its works. */
class WorksTest {
    static List<Comparison> comparisons() {
        return Comparison.ALL;
    }

    @Test
    void everyComparisonHasItsOwnName() {
        List<String> names = Comparison.ALL.stream().map(Comparison::name).toList();
        assertEquals(names.size(), new HashSet<>(names).size(), names::toString);
        assertTrue(names.containsAll(List.of("rows", "tls", "waiting-virtual-threads", "idle-tls", "boot-start")));
    }

    @ParameterizedTest
    @MethodSource("comparisons")
    void everyWorkHasItsOwnNameAndARowAndAServer(Comparison comparison) {
        List<Work> works = works(comparison, false);
        assertEquals(works.size(), new HashSet<>(works.stream().map(Work::id).toList()).size());
        for (Work work : works) {
            assertFalse(work.rows().isEmpty(), work.id());
            assertTrue(comparison.usual().stream().anyMatch(work.job()::fits), work.id());
        }
    }

    @ParameterizedTest
    @MethodSource("comparisons")
    void aSmokeTestHasTheSameWorksAsAMeasurementButWithFewConnections(Comparison comparison) {
        List<Work> small = works(comparison, true);
        if (!comparison.command().equals("users")) {
            assertEquals(
                    works(comparison, false).stream().map(Work::id).toList(),
                    small.stream().map(Work::id).toList());
        }
        for (Work work : small) {
            // The connections of an overload follow from its rate.
            assertTrue(
                    work.job().connections() <= 80 || work.job() instanceof Overload || work.job() instanceof Renewal,
                    work.id());
        }
    }

    @Test
    void onlyPenstockIsMeasuredWithSeveralQueueSettings() {
        List<Work> works = works(named("overload"), false);
        assertEquals(
                List.of("overload", "overload-queue-age", "overload-queue"),
                works.stream().map(Work::id).toList());
        assertEquals(Map.of("queue-age", "400ms"), ((Overload) works.get(1).job()).setting());
        assertTrue(works.get(1).job().fits(Server.PENSTOCK_DEFAULTS));
        assertFalse(works.get(1).job().fits(Server.JETTY_DEFAULTS));
        // The number of virtual threads cannot be limited.
        assertFalse(works.get(0).job().fits(Server.JETTY_VIRTUAL_DEFAULTS));
    }

    @Test
    void inAComparisonOfDefaultsEveryServerRunsOnceWithItsDefaultSettings() {
        List<Server> wished = List.of(Server.PENSTOCK, Server.TOMCAT7, Server.TOMCAT_DEFAULTS, Server.TOMCAT);
        assertEquals(
                List.of(Server.PENSTOCK_DEFAULTS, Server.TOMCAT7_DEFAULTS, Server.TOMCAT_DEFAULTS),
                named("overload").among(wished));
        assertEquals(wished, named("idle").among(wished));
    }

    @ParameterizedTest
    @EnumSource(names = {"TOMCAT", "JETTY", "JETTY_EAGER", "UNDERTOW", "UNDERTOW_BUFFERING"})
    void besideSlowClientsTunedServersWithAThreadPoolGetTheConfiguredPoolSize(Server server) {
        assertEquals(200, optionsBesideSlowClients(server).workers());
    }

    @ParameterizedTest
    @EnumSource(names = {"PENSTOCK", "PENSTOCK_DEFAULTS", "TOMCAT7", "TOMCAT_VIRTUAL", "TOMCAT_DEFAULTS"})
    void besideSlowClientsTheOtherServersKeepTheirNumberOfThreads(Server server) {
        assertEquals(0, optionsBesideSlowClients(server).workers());
    }

    @ParameterizedTest
    @EnumSource
    void besideSlowClientsEveryServerHasTheSameSendBuffer(Server server) {
        assertEquals(65536, optionsBesideSlowClients(server).sendBuffer());
    }

    @Test
    void onlyPenstockWithTunedSettingsGetsThePipeBudget() {
        assertEquals(
                Map.of("pipe-budget", "67108864"),
                optionsBesideSlowClients(Server.PENSTOCK).own());
        assertEquals(
                Map.of(), optionsBesideSlowClients(Server.PENSTOCK_DEFAULTS).own());
        assertEquals(Map.of(), optionsBesideSlowClients(Server.JETTY).own());
    }

    @Test
    void everySlowClientAndEveryWorkWithBodiesNeedsFiles() {
        assertEquals(400, works(named("slow-upload"), false).get(0).job().files());
        assertEquals(0, works(named("slow-head"), false).get(0).job().files());
        assertEquals(
                2000 + 2000 + 4000,
                works(named("slow-mixed"), false).get(0).job().files());
        assertNotEquals(0, works(named("files"), false).get(2).job().files());
    }

    private static ServerOptions optionsBesideSlowClients(Server server) {
        Beside beside = (Beside) works(named("slow-read"), false).get(0).job();
        return beside.options(server, ServerOptions.serving(Path.of(".")));
    }

    static Comparison named(String name) {
        return Comparison.ALL.stream()
                .filter(comparison -> comparison.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<Work> works(Comparison comparison, boolean smoke) {
        return comparison.works().apply(new Sizes(comparison.sizes(), smoke, Map.of()));
    }
}
