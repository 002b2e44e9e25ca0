package io.penstock.boot.autoconfigure;

import io.penstock.Penstock;
import io.penstock.boot.PenstockBuilderCustomizer;
import io.penstock.boot.PenstockContextCustomizer;
import io.penstock.boot.PenstockReactiveWebServerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.server.autoconfigure.reactive.ReactiveWebServerConfiguration;
import org.springframework.boot.web.server.reactive.ReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ReactiveHttpInputMessage;

/** Provides the server of a reactive application. */
@AutoConfiguration
@ConditionalOnClass({ReactiveHttpInputMessage.class, Penstock.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@Import({PenstockWebServerConfiguration.class, ReactiveWebServerConfiguration.class})
public final class PenstockReactiveWebServerAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(ReactiveWebServerFactory.class)
    PenstockReactiveWebServerFactory penstockReactiveWebServerFactory(
            ObjectProvider<PenstockBuilderCustomizer> builderCustomizers,
            ObjectProvider<PenstockContextCustomizer> contextCustomizers) {
        PenstockReactiveWebServerFactory factory = new PenstockReactiveWebServerFactory();
        builderCustomizers.orderedStream().forEach(factory::addBuilderCustomizers);
        contextCustomizers.orderedStream().forEach(factory::addContextCustomizers);
        return factory;
    }
}
