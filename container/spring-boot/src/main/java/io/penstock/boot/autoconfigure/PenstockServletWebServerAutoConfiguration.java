package io.penstock.boot.autoconfigure;

import io.penstock.Penstock;
import io.penstock.boot.PenstockBuilderCustomizer;
import io.penstock.boot.PenstockContextCustomizer;
import io.penstock.boot.PenstockServletWebServerFactory;
import io.penstock.websocket.WebSockets;
import jakarta.servlet.ServletRequest;
import jakarta.websocket.server.ServerEndpointConfig;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.autoconfigure.servlet.ServletWebServerConfiguration;
import org.springframework.boot.web.server.servlet.ServletWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Provides the server of a servlet application. */
@AutoConfiguration
@ConditionalOnClass({ServletRequest.class, Penstock.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@Import({PenstockWebServerConfiguration.class, ServletWebServerConfiguration.class})
public final class PenstockServletWebServerAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(value = ServletWebServerFactory.class, search = SearchStrategy.CURRENT)
    PenstockServletWebServerFactory penstockServletWebServerFactory(
            ObjectProvider<PenstockBuilderCustomizer> builderCustomizers,
            ObjectProvider<PenstockContextCustomizer> contextCustomizers) {
        PenstockServletWebServerFactory factory = new PenstockServletWebServerFactory();
        builderCustomizers.orderedStream().forEach(factory::addBuilderCustomizers);
        contextCustomizers.orderedStream().forEach(factory::addContextCustomizers);
        return factory;
    }

    /** Provides a container for WebSocket endpoints, if the WebSocket module is on the class path. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebSockets.class)
    static class PenstockWebSocketConfiguration {

        @Bean
        @ConditionalOnMissingBean(name = "websocketServletWebServerCustomizer")
        WebServerFactoryCustomizer<PenstockServletWebServerFactory> websocketServletWebServerCustomizer() {
            return factory -> factory.addContextCustomizers(
                    context -> context.initializer(WebSockets.endpoints(new ServerEndpointConfig[0])));
        }
    }
}
