package io.penstock.boot;

import java.util.Objects;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.server.reactive.AbstractReactiveWebServerFactoryTests;
import org.springframework.boot.web.server.reactive.ConfigurableReactiveWebServerFactory;

/** Boot's tests of factories for reactive applications. */
class ReactiveFactoryTests extends AbstractReactiveWebServerFactoryTests {

    @Override
    protected PenstockReactiveWebServerFactory getFactory() {
        return new PenstockReactiveWebServerFactory(0);
    }

    @Override
    protected void addConnector(int port, ConfigurableReactiveWebServerFactory factory) {
        ((PenstockReactiveWebServerFactory) factory).set("listen", "http://:0, http://:" + port, "a test of Boot");
    }

    /** Boot's pattern accepts only three names of servers, so the test compares the rest of the line. */
    @Override
    protected String startedLogMessage() {
        return ((PenstockWebServer) Objects.requireNonNull(webServer)).startedMessage().replace("Penstock", "Tomcat");
    }

    @Test
    void useForwardedHeaders() {
        PenstockReactiveWebServerFactory factory = getFactory();
        factory.setUseForwardHeaders(true);
        assertForwardHeaderIsUsed(factory);
    }

    @Test
    @Override
    @Disabled("Penstock speaks HTTP/1.1")
    protected void whenHttp2IsEnabledAndSslIsDisabledThenH2cCanBeUsed() {}
}
