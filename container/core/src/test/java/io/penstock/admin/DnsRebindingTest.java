package io.penstock.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the protection against DNS rebinding. A web page of an attacker must not read data from the admin port, even if the host name of
 * the page resolves to this machine.
 */
class DnsRebindingTest {

    @ParameterizedTest
    @CsvSource({
        "localhost, true",
        "LOCALHOST, true",
        "board.localhost, true",
        "127.0.0.1, true",
        "127.0.0.2, true",
        "[::1], true",
        "::1, true",
        "mine.example, true",
        "evil.example, false",
        "localhost.evil.example, false",
        "127.0.0.1.evil.example, false",
        "evillocalhost, false",
        "127.0.0, false",
        "1.2.3.4.5, false",
        "'', false"
    })
    void aLocalAdminPortAcceptsOnlyHostNamesOfThisMachine(String name, boolean right) {
        assertEquals(right, new HostRule(HostRule.Reach.THIS_MACHINE, "Mine.example").allows(name), name);
    }

    @Test
    void anAdminPortForOtherMachinesAcceptsAllHostNames() {
        assertTrue(new HostRule(HostRule.Reach.OTHERS_TOO, "0.0.0.0").allows("metrics.example"));
    }
}
