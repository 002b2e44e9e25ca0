package io.penstock.boot;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.micrometer.PenstockMetrics;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;

/**
 * Adds the metrics of the application's server to the application's meter registry at the start. Removes the metrics at the end of the
 * application.
 *
 * <p>Thread: the threads that start and end the application.
 */
public final class PenstockMeters implements ApplicationListener<ApplicationStartedEvent>, DisposableBean {
    private final MeterRegistry registry;

    @GuardedBy("this")
    private @Nullable PenstockMetrics bound;

    public PenstockMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public synchronized void onApplicationEvent(ApplicationStartedEvent event) {
        if (bound == null
                && event.getApplicationContext() instanceof WebServerApplicationContext context
                && context.getWebServer() instanceof PenstockWebServer server) {
            PenstockMetrics metrics = new PenstockMetrics(server.getPenstock());
            metrics.bindTo(registry);
            bound = metrics;
        }
    }

    @Override
    public synchronized void destroy() {
        PenstockMetrics metrics = bound;
        bound = null;
        if (metrics != null) {
            metrics.close();
        }
    }
}
