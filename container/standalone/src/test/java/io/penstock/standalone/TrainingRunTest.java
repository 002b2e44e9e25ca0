package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.limits.AccessLogging;
import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.Origin;
import io.penstock.limits.ServerConfig;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the configuration of a training. */
class TrainingRunTest {
    private static final Origin HERE = new Origin.Told("this test");

    @TempDir
    Path folder;

    @Test
    void theAccessLogsOfARunningServerAreNotUsed() {
        ConfigurationSources sources = new ConfigurationSources()
                .flag("access-log", "/var/log/penstock/access.log", HERE)
                .flag("/shop:access-log", "/var/log/penstock/shop.log", HERE);
        ServerConfig config = ServerConfig.of(new TrainingRun(folder).of(sources));
        Path own = folder.resolve("access.log");
        assertEquals(own, config.accessLog().file());
        assertEquals(
                List.of(own),
                config.accessLogsOfPaths().values().stream()
                        .map(AccessLogging::file)
                        .toList());
    }
}
