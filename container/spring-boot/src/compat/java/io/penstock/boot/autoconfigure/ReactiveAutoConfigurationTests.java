package io.penstock.boot.autoconfigure;

import org.springframework.boot.web.server.autoconfigure.reactive.AbstractReactiveWebServerAutoConfigurationTests;

/** Boot's tests of auto-configuration, for reactive applications. */
class ReactiveAutoConfigurationTests extends AbstractReactiveWebServerAutoConfigurationTests {

    ReactiveAutoConfigurationTests() {
        super(PenstockReactiveWebServerAutoConfiguration.class);
    }
}
