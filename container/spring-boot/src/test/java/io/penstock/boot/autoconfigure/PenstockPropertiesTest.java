package io.penstock.boot.autoconfigure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Key;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class PenstockPropertiesTest {
    private final StandardEnvironment environment = new StandardEnvironment();
    private final Map<String, Object> file = new HashMap<>();
    private final Map<String, Object> variables = new HashMap<>();

    private List<PenstockProperties.Property> found() {
        environment.getPropertySources().addFirst(new MapPropertySource("the file", file));
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables));
        ConfigurationPropertySources.attach(environment);
        return PenstockProperties.of(environment);
    }

    @Test
    void eachKeyCanBeSetInAFileAndAnEnvironmentVariableOverridesTheFile() {
        for (Key key : Key.values()) {
            if (!PenstockProperties.isOfBoot(key.id())) {
                file.put("server.penstock." + key.id(), "of the file");
                variables.put("SERVER_PENSTOCK_" + key.id().replace("-", "").toUpperCase(), "of a variable");
            }
        }
        List<PenstockProperties.Property> all = found();
        assertEquals(Key.values().length - 12, all.size());
        all.forEach(property -> assertEquals("of a variable", property.value(), "the value of " + property.key()));
    }

    @Test
    void anEnvironmentVariableMayHaveUnderscoresInsteadOfHyphens() {
        for (Key key : Key.values()) {
            if (!PenstockProperties.isOfBoot(key.id())) {
                file.put("server.penstock." + key.id(), "of the file");
                variables.put("SERVER_PENSTOCK_" + key.id().replace("-", "_").toUpperCase(), "of a variable");
            }
        }
        List<PenstockProperties.Property> all = found();
        assertEquals(Key.values().length - 12, all.size());
        all.forEach(property -> assertEquals("of a variable", property.value(), "the value of " + property.key()));
    }

    /**
     * Kubernetes sets these environment variables in each container if there are services with the names {@code server-penstock} and {@code
     * server-penstock-admin}.
     */
    @Test
    void variablesOfKubernetesServicesAreIgnored() {
        for (String service : List.of("SERVER_PENSTOCK", "SERVER_PENSTOCK_ADMIN")) {
            variables.put(service + "_SERVICE_HOST", "10.0.0.11");
            variables.put(service + "_SERVICE_PORT", "8080");
            variables.put(service + "_SERVICE_PORT_HTTP_MAIN", "8080");
            variables.put(service + "_PORT", "tcp://10.0.0.11:8080");
            variables.put(service + "_PORT_8080_TCP", "tcp://10.0.0.11:8080");
            variables.put(service + "_PORT_8080_TCP_PROTO", "tcp");
            variables.put(service + "_PORT_8080_TCP_PORT", "8080");
            variables.put(service + "_PORT_8080_TCP_ADDR", "10.0.0.11");
        }
        file.put("server.penstock.admin-port", "9090");
        assertEquals(
                List.of("admin-port=9090"),
                found().stream()
                        .map(property -> property.key() + "=" + property.value())
                        .toList());
    }

    @Test
    void aVariableThatEndsWithPortIsNotIgnoredIfItsValueIsANumber() {
        variables.put("SERVER_PENSTOCK_ADMIN_PORT", "9090");
        variables.put("SERVER_PENSTOCK_PORT", "8080");
        assertThrows(InvalidConfigurationPropertyValueException.class, this::found);
        variables.remove("SERVER_PENSTOCK_PORT");
        assertEquals(1, found().size());
    }

    @Test
    void theErrorForAnUnknownEnvironmentVariableContainsTheNameOfTheVariable() {
        variables.put("SERVER_PENSTOCK_BODY_LIMITS", "3M");
        UnknownPropertyException e = assertThrows(UnknownPropertyException.class, this::found);
        assertTrue(e.getMessage().contains("SERVER_PENSTOCK_BODY_LIMITS"), e.getMessage());
    }

    @Test
    void aKeyWithDotsInsteadOfHyphensIsAnErrorInAFile() {
        file.put("server.penstock.body.limit", "3M");
        assertEquals(
                "server.penstock.body.limit",
                assertThrows(UnknownPropertyException.class, this::found).name());
    }

    @Test
    void placeholdersAreResolvedAndTheOriginContainsTheNameOfTheProperty() {
        file.put("size", "3M");
        file.put("server.penstock.bodyLimit", "${size}");
        PenstockProperties.Property only = found().get(0);
        assertEquals("body-limit", only.key());
        assertEquals("3M", only.value());
        assertTrue(only.where().startsWith("server.penstock.body-limit"), only.where());
    }

    @Test
    void anUnknownPropertyNameIsAnError() {
        file.put("server.penstock.body-limits", "3M");
        UnknownPropertyException e = assertThrows(UnknownPropertyException.class, this::found);
        assertEquals("server.penstock.body-limits", e.name());
        assertTrue(e.getMessage().contains("the file"), e.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "port, 8081, server.port",
        "session-timeout, 20m, server.servlet.session.timeout",
        "session-cookie-name, SHOPID, server.servlet.session.cookie.name",
        "session-cookie-path, /, server.servlet.session.cookie.path",
        "session-cookie-same-site, lax, server.servlet.session.cookie.same-site",
        "session-cookie-domain, example.org, server.servlet.session.cookie.domain",
        "session-tracking, cookie, server.servlet.session.tracking-modes"
    })
    void theErrorForAKeyThatBootHasAPropertyForContainsThisProperty(String key, String value, String property) {
        file.put("server.penstock." + key, value);
        InvalidConfigurationPropertyValueException e =
                assertThrows(InvalidConfigurationPropertyValueException.class, this::found);
        assertEquals("The property is " + property + ".", e.getReason());
    }
}
