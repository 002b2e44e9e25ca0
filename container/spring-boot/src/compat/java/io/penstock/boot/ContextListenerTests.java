package io.penstock.boot;

import org.springframework.boot.web.server.servlet.AbstractServletWebServerServletContextListenerTests;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Runs Boot's tests of context listeners that are beans, with Penstock. */
class ContextListenerTests extends AbstractServletWebServerServletContextListenerTests {

    ContextListenerTests() {
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
