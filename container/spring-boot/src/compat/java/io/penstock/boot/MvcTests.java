package io.penstock.boot;

import org.springframework.boot.web.servlet.context.AbstractServletWebServerMvcIntegrationTests;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Runs Boot's tests of Spring MVC with Penstock. */
class MvcTests extends AbstractServletWebServerMvcIntegrationTests {

    MvcTests() {
        super(Server.class);
    }

    @Configuration(proxyBeanMethods = false)
    static class Server {
        @Bean
        PenstockServletWebServerFactory webServerFactory() {
            return new PenstockServletWebServerFactory(0);
        }
    }
}
