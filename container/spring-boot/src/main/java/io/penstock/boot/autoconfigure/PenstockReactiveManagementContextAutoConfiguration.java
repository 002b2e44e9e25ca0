package io.penstock.boot.autoconfigure;

import io.penstock.Penstock;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextFactory;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.server.reactive.ReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;

/** Provides a second server for the management endpoints of a reactive application, if the endpoints have their own port. */
@AutoConfiguration
@ConditionalOnClass({Penstock.class, ManagementContextFactory.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
public final class PenstockReactiveManagementContextAutoConfiguration {

    @Bean
    static ManagementContextFactory reactiveWebChildContextFactory() {
        return new ManagementContextFactory(
                WebApplicationType.REACTIVE,
                ReactiveWebServerFactory.class,
                PenstockReactiveWebServerAutoConfiguration.class);
    }
}
