package io.penstock.boot.autoconfigure;

import org.springframework.boot.web.server.autoconfigure.servlet.AbstractServletWebServerAutoConfigurationTests;

/** Boot's tests of auto-configuration, for servlet applications. */
class ServletAutoConfigurationTests extends AbstractServletWebServerAutoConfigurationTests {

    ServletAutoConfigurationTests() {
        super(PenstockServletWebServerAutoConfiguration.class);
    }
}
