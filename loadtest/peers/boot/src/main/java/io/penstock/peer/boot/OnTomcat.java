package io.penstock.peer.boot;

import org.apache.catalina.util.ServerInfo;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.tomcat.TomcatConnectorCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Sets the size of Tomcat's socket buffers, and reports the version of Tomcat. */
@Configuration
@ConditionalOnClass(name = "org.apache.catalina.startup.Tomcat")
class OnTomcat {
    @Bean
    Underneath underneath() {
        return new Underneath("Tomcat " + ServerInfo.getServerNumber().replaceAll("\\.0$", ""));
    }

    @Bean
    TomcatConnectorCustomizer sendBuffer(@Value("${" + Underneath.SEND_BUFFER + "}") int bytes) {
        return connector -> {
            if (bytes > 0 && !connector.setProperty("socket.txBufSize", Integer.toString(bytes))) {
                throw new IllegalStateException("Tomcat does not know the setting socket.txBufSize");
            }
        };
    }
}
