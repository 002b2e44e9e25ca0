package io.penstock.boot.autoconfigure;

import io.penstock.boot.ConfigurablePenstockWebServerFactory;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Applies the properties with the prefix {@code server.penstock}. Also applies some properties with the prefix {@code server}, because Boot
 * itself does not apply these properties to each kind of server.
 */
final class PenstockWebServerFactoryCustomizer
        implements WebServerFactoryCustomizer<ConfigurablePenstockWebServerFactory>, Ordered {
    private static final String VIRTUAL_THREADS = "spring.threads.virtual.enabled";

    private final ConfigurableEnvironment environment;
    private final ServerProperties properties;

    PenstockWebServerFactoryCustomizer(ConfigurableEnvironment environment, ServerProperties properties) {
        this.environment = environment;
        this.properties = properties;
    }

    @Override
    public int getOrder() {
        return 0;
    }

    @Override
    public void customize(ConfigurablePenstockWebServerFactory factory) {
        factory.setUseForwardHeaders(usesForwardHeaders());
        long head = properties.getMaxHttpRequestHeaderSize().toBytes();
        if (head > 0) {
            factory.set("header-bytes-limit", Long.toString(head), "server.max-http-request-header-size");
        }
        if (environment.getProperty(VIRTUAL_THREADS, Boolean.class, false)) {
            // The start fails if this Java has no virtual threads.
            factory.set("virtual-threads", "on", VIRTUAL_THREADS);
        }
        PenstockProperties.of(environment).forEach(property -> property.applyTo(factory));
    }

    private boolean usesForwardHeaders() {
        ServerProperties.ForwardHeadersStrategy strategy = properties.getForwardHeadersStrategy();
        if (strategy != null) {
            return strategy == ServerProperties.ForwardHeadersStrategy.NATIVE;
        }
        CloudPlatform platform = CloudPlatform.getActive(environment);
        return platform != null && platform.isUsingForwardHeaders();
    }
}
