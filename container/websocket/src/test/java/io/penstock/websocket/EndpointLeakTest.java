package io.penstock.websocket;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.websocket.application.LeakingEndpoint;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the class loader of an undeployed application with endpoints does not remain in memory, even if clients were connected to an
 * endpoint.
 */
class EndpointLeakTest {
    private static final int REDEPLOYS = 100;

    @TempDir
    Path folder;

    private final List<WeakReference<ClassLoader>> loaders = new CopyOnWriteArrayList<>();

    @BeforeEach
    void provideListOfLoaders() {
        System.getProperties().put(LeakingEndpoint.LOADERS, loaders);
    }

    @AfterEach
    void removeListOfLoaders() {
        System.getProperties().remove(LeakingEndpoint.LOADERS);
    }

    private long loadersInMemory() {
        System.gc();
        return loaders.stream().filter(loader -> loader.get() != null).count();
    }

    private void awaitLoadersInMemoryAtMost(int most) {
        await().pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> assertTrue(
                        loadersInMemory() <= most,
                        () -> loadersInMemory() + " of " + loaders.size() + " class loaders are in memory"));
    }

    @Test
    void noClassLoaderRemainsInMemoryAfterRedeploymentsWithConnectedClients() throws Exception {
        Path application = Application.of(
                folder,
                LeakingEndpoint.class,
                LeakingEndpoint.Own.class,
                LeakingEndpoint.OwnEncoder.class,
                LeakingEndpoint.Patience.class);
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .war("/app", application)
                .start()) {
            for (int i = 0; i < REDEPLOYS; i++) {
                try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/app/leaving")) {
                    client.say("x");
                    client.assertHears("own 65536");
                    server.deploy("/app", application);
                    client.assertHears("close 1001");
                }
            }
            assertEquals(REDEPLOYS, loaders.size());
            assertTrue(server.undeploy("/app"));
            awaitLoadersInMemoryAtMost(0);
            assertEquals(0, server.counters().get("undeploy-timeouts"));
        }
    }
}
