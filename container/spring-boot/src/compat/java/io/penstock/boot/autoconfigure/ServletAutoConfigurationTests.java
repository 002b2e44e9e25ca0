package io.penstock.boot.autoconfigure;

import org.springframework.boot.web.server.autoconfigure.servlet.AbstractServletWebServerAutoConfigurationTests;

/** Runs Boot's tests of auto-configuration for servlet applications, with Penstock. */
class ServletAutoConfigurationTests extends AbstractServletWebServerAutoConfigurationTests {

    ServletAutoConfigurationTests() {
        super(PenstockServletWebServerAutoConfiguration.class);
    }
}
