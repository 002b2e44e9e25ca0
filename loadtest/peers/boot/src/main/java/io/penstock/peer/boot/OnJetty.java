package io.penstock.peer.boot;

import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.jetty.JettyServerCustomizer;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Sets the size of Jetty's socket buffers, and reports the version of Jetty. */
@Configuration
@ConditionalOnClass(name = "org.eclipse.jetty.server.Server")
class OnJetty {
    @Bean
    Underneath underneath() {
        return new Underneath("Jetty " + Server.getVersion());
    }

    @Bean
    WebServerFactoryCustomizer<JettyServletWebServerFactory> sendBuffer(
            @Value("${" + Underneath.SEND_BUFFER + "}") int bytes) {
        JettyServerCustomizer customizer = server -> {
            for (Connector connector : server.getConnectors()) {
                if (bytes > 0 && connector instanceof ServerConnector sockets) {
                    sockets.setAcceptedSendBufferSize(bytes);
                }
            }
        };
        return factory -> factory.addServerCustomizers(customizer);
    }
}
