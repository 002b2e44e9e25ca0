package io.penstock.boot.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWarDeployment;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;

/** Applies properties to the server of a servlet application or a reactive application. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnNotWarDeployment
class PenstockWebServerConfiguration {

    @Bean
    PenstockWebServerFactoryCustomizer penstockWebServerFactoryCustomizer(
            ConfigurableEnvironment environment, ServerProperties properties) {
        return new PenstockWebServerFactoryCustomizer(environment, properties);
    }
}
