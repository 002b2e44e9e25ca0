package io.penstock.arquillian;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Set;
import org.jboss.arquillian.container.spi.ConfigurationException;
import org.junit.jupiter.api.Test;

/** What may stand in {@code arquillian.xml}. */
class PenstockConfigurationTest {

    @Test
    void usersAreSeparatedBySemicolons() {
        assertEquals(
                List.of(
                        new TestUser("j2ee", "secret", Set.of("Administrator", "Employee")),
                        new TestUser("CN=CTS, O=Some Inc.", "", Set.of("Administrator"))),
                TestUser.parse(
                        "  j2ee | secret | Administrator, Employee;\n  CN=CTS, O=Some Inc. | | Administrator; "));
    }

    @Test
    void aLineThatIsNoUserIsAnError() {
        assertThrows(ConfigurationException.class, () -> TestUser.parse("j2ee"));
        assertThrows(ConfigurationException.class, () -> TestUser.parse("| a | b"));
    }

    @Test
    void aSchemeThatTheServerDoesNotSpeakIsAnError() {
        PenstockConfiguration configuration = new PenstockConfiguration();
        configuration.validate();
        configuration.setScheme("https");
        assertThrows(ConfigurationException.class, configuration::validate);
    }
}
