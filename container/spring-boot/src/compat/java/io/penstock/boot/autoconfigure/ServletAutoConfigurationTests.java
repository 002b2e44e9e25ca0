package io.penstock.boot.autoconfigure;

import org.springframework.boot.web.server.autoconfigure.servlet.AbstractServletWebServerAutoConfigurationTests;

/** Boot's tests of what it finds by itself, for servlet applications. */
class ServletAutoConfigurationTests extends AbstractServletWebServerAutoConfigurationTests {

    ServletAutoConfigurationTests() {
        super(PenstockServletWebServerAutoConfiguration.class);
    }
}
