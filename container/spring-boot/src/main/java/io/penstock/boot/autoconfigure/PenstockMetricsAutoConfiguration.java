package io.penstock.boot.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.boot.PenstockMeters;
import io.penstock.micrometer.PenstockMetrics;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/** Provides the metrics of the server as Micrometer meters. */
@AutoConfiguration(
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnWebApplication
@ConditionalOnClass({MeterRegistry.class, PenstockMetrics.class})
@ConditionalOnBean(MeterRegistry.class)
public final class PenstockMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    PenstockMeters penstockMeters(MeterRegistry registry) {
        return new PenstockMeters(registry);
    }
}
