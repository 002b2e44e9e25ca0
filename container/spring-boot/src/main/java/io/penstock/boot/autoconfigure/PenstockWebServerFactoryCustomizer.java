package io.penstock.boot.autoconfigure;

import io.penstock.boot.ConfigurablePenstockWebServerFactory;
import java.util.Map;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Applies the properties with the prefix {@code server.penstock}, and before them those of other servers that have an equal meaning. Also applies some properties with the prefix {@code server}, because Boot
 * itself does not apply these properties to each kind of server.
 */
final class PenstockWebServerFactoryCustomizer
        implements WebServerFactoryCustomizer<ConfigurablePenstockWebServerFactory>, Ordered {
    private static final String VIRTUAL_THREADS = "spring.threads.virtual.enabled";

    private final ConfigurableEnvironment environment;
    private final ServerProperties properties;
    private Warned warned = Warned.NO;

    /** Whether the log has the warning about properties of other servers. */
    private enum Warned {
        NO,
        YES
    }

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
        boolean forwards = usesForwardHeaders();
        boolean virtualThreads = environment.getProperty(VIRTUAL_THREADS, Boolean.class, false);
        factory.setUseForwardHeaders(forwards);
        Map<String, String> foreign = ForeignProperties.applyTo(factory, environment, virtualThreads, forwards);
        if (warned == Warned.NO) {
            warned = Warned.YES; // a server for management gets the same properties
            ForeignProperties.warn(foreign);
        }
        long head = properties.getMaxHttpRequestHeaderSize().toBytes();
        if (head > 0) {
            factory.set("header-bytes-limit", Long.toString(head), "server.max-http-request-header-size");
        }
        if (virtualThreads) {
            // Without virtual threads in this Java, the key has no effect, and the log says so.
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
