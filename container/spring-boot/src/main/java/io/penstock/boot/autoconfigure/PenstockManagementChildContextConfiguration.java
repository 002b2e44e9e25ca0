package io.penstock.boot.autoconfigure;

import io.penstock.Penstock;
import io.penstock.boot.ConfigurablePenstockWebServerFactory;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** Makes the server of the management port a small server. */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
@ConditionalOnClass(Penstock.class)
@ConditionalOnWebApplication
class PenstockManagementChildContextConfiguration {

    @Bean
    PenstockManagementCustomizer penstockManagementCustomizer() {
        return new PenstockManagementCustomizer();
    }

    /** Removes the settings of the application's server. So this customizer must run last. */
    static final class PenstockManagementCustomizer
            implements WebServerFactoryCustomizer<ConfigurablePenstockWebServerFactory>, Ordered {

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public void customize(ConfigurablePenstockWebServerFactory factory) {
            factory.useForManagement();
        }
    }
}
