package io.penstock.loadtest.compare.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.compare.setup.Lineup;
import io.penstock.loadtest.peers.JavaVersion;
import io.penstock.loadtest.peers.Server;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A server is overloaded as it comes, and only where its threads can be counted. */
class OverloadLineupTest {
    private static final JavaVersion JAVA = new JavaVersion(25, "25.0.3");

    @Test
    void everyServerHasItsOwnDefaultsOnce() {
        Lineup lineup = adapt(Server.PENSTOCK, Server.TOMCAT7, Server.TOMCAT_DEFAULTS, Server.TOMCAT);
        assertEquals(
                List.of(Server.PENSTOCK_DEFAULTS, Server.TOMCAT7_DEFAULTS, Server.TOMCAT_DEFAULTS), lineup.servers());
        assertEquals(List.of(), lineup.leftOut());
    }

    @Test
    void virtualThreadsAreLeftOutWithTheReason() {
        Lineup lineup = adapt(Server.JETTY, Server.JETTY_VIRTUAL);
        assertEquals(List.of(Server.JETTY_DEFAULTS), lineup.servers());
        assertTrue(lineup.leftOut().get(0).startsWith("jetty-virtual is left out: virtual threads cannot be bounded"));
    }

    private static Lineup adapt(Server... wished) {
        return new OverloadCommand().adapt(new Lineup(List.of(wished), List.of(), JAVA));
    }
}
