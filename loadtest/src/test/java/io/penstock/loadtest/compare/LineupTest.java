package io.penstock.loadtest.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.compare.Setup.Lineup;
import io.penstock.loadtest.peers.JvmSettings.JavaVersion;
import io.penstock.loadtest.peers.Server;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which servers the load test compares, and in which order. */
class LineupTest {
    private static final List<Server> WISHED = List.of(Server.JETTY_VIRTUAL, Server.PENSTOCK, Server.TOMCAT_VIRTUAL);

    @Test
    void serversWithVirtualThreadsAreExcludedOnJava17() {
        Lineup lineup = Lineup.of(WISHED, new JavaVersion(17, "17.0.15"));
        assertEquals(List.of(Server.PENSTOCK), lineup.servers());
        assertEquals(2, lineup.leftOut().size());
        assertTrue(
                lineup.leftOut()
                        .get(0)
                        .startsWith(
                                "jetty-virtual is left out: virtual threads need Java 21 or newer, and this is 17.0.15"),
                lineup.leftOut().get(0));
    }

    @Test
    void allServersRunInTheGivenOrderOnJava21() {
        Lineup lineup = Lineup.of(WISHED, new JavaVersion(21, "21"));
        assertEquals(WISHED, lineup.servers());
        assertEquals(List.of(), lineup.leftOut());
    }

    @Test
    void theListOfServersIsRotatedByOneInEachRound() {
        Lineup lineup = Lineup.of(WISHED, new JavaVersion(21, "21"));
        assertEquals(WISHED, lineup.inRound(1));
        assertEquals(List.of(Server.PENSTOCK, Server.TOMCAT_VIRTUAL, Server.JETTY_VIRTUAL), lineup.inRound(2));
        assertEquals(List.of(Server.TOMCAT_VIRTUAL, Server.JETTY_VIRTUAL, Server.PENSTOCK), lineup.inRound(3));
        assertEquals(WISHED, lineup.inRound(4));
    }
}
