package io.penstock.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** What is to be served reaches the forked JVM. */
class LaunchTest {
    private static Launch written(Launch launch) throws Exception {
        StringWriter text = new StringWriter();
        launch.toProperties().store(text, null);
        Properties read = new Properties();
        read.load(new StringReader(text.toString()));
        return Launch.of(read);
    }

    @Test
    void sourcesKeepTheirOrder() throws Exception {
        Launch launch = new Launch(
                "/shop",
                Launch.Kind.SOURCES,
                Map.of("workers", "8", "/shop:exclude-scan", "poi-*.jar"),
                List.of(Path.of("src/main/webapp"), Path.of("a b\\c")),
                List.of(Path.of("2"), Path.of("1"), Path.of("3")),
                Map.of("orders-1.0.jar", Path.of("orders/target/classes")));
        assertEquals(launch, written(launch));
    }

    @Test
    void anArchiveIsOneFile() throws Exception {
        Launch launch = Launch.archive("/", Map.of("port", "0"), Path.of("target/shop.war"));
        assertEquals(launch, written(launch));
    }
}
