package io.penstock.boot.autoconfigure;

import org.springframework.boot.web.server.autoconfigure.reactive.AbstractReactiveWebServerAutoConfigurationTests;

/** Runs Boot's tests of auto-configuration for reactive applications, with Penstock. */
class ReactiveAutoConfigurationTests extends AbstractReactiveWebServerAutoConfigurationTests {

    ReactiveAutoConfigurationTests() {
        super(PenstockReactiveWebServerAutoConfiguration.class);
    }
}
