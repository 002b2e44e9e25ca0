package io.penstock.boot;

import org.springframework.boot.web.servlet.context.AbstractServletWebServerMvcIntegrationTests;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Boot's tests with Spring MVC. */
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
