package io.penstock.boot;

import java.util.List;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.reactive.ConfigurableReactiveWebServerFactory;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServletHttpHandlerAdapter;

/**
 * Creates servers for reactive applications. Spring adapts a reactive application to a servlet with asynchronous input and output.
 *
 * <p>Thread: the thread that starts the application.
 */
public class PenstockReactiveWebServerFactory extends PenstockWebServerFactory
        implements ConfigurableReactiveWebServerFactory {

    public PenstockReactiveWebServerFactory() {}

    /** @param port the port; 0 for any free port; -1 for no port */
    public PenstockReactiveWebServerFactory(int port) {
        super(port);
    }

    @Override
    public WebServer getWebServer(HttpHandler httpHandler) {
        return webServer(
                null,
                context -> context.initializer((none, servletContext) ->
                                ResponseFieldsFilter.addTo(servletContext, getServerHeader(), List.of()))
                        .servlet("http-handler-adapter", new ServletHttpHandlerAdapter(httpHandler), "/"),
                new ServerKeys(),
                null,
                () -> {});
    }
}
