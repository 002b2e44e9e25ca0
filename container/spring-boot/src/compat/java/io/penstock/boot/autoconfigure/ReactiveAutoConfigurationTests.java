package io.penstock.boot.autoconfigure;

import org.springframework.boot.web.server.autoconfigure.reactive.AbstractReactiveWebServerAutoConfigurationTests;

/** Boot's tests of what it finds by itself, for reactive applications. */
class ReactiveAutoConfigurationTests extends AbstractReactiveWebServerAutoConfigurationTests {

    ReactiveAutoConfigurationTests() {
        super(PenstockReactiveWebServerAutoConfiguration.class);
    }
}
