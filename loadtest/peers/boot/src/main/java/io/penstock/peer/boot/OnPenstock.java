package io.penstock.peer.boot;

import io.penstock.boot.PenstockBuilderCustomizer;
import java.io.IOException;
import java.util.Properties;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

/** Sets the size of Penstock's socket buffers, and reports the version of Penstock. */
@Configuration
@ConditionalOnClass(name = "io.penstock.boot.PenstockWebServer")
class OnPenstock {
    @Bean
    Underneath underneath() throws IOException {
        Properties ofJar = PropertiesLoaderUtils.loadProperties(
                new ClassPathResource("META-INF/maven/io.penstock/penstock-core/pom.properties"));
        return new Underneath("Penstock " + ofJar.getProperty("version"));
    }

    @Bean
    PenstockBuilderCustomizer sendBuffer(@Value("${" + Underneath.SEND_BUFFER + "}") int bytes) {
        return builder -> builder.set("send-buffer", Integer.toString(bytes));
    }
}
