package io.penstock.loadtest.load;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests loads that are stopped before their end. */
@Timeout(120)
class StoppedLoadTest {
    private final CountDownLatch hundred = new CountDownLatch(100);
    private ScriptedServer server;
    private ClientLoop loop;
    private Request request;

    @BeforeEach
    void start() throws Exception {
        server = new ScriptedServer((number, connection) -> {
            ScriptedServer.answer(connection, ScriptedServer.OK);
            hundred.countDown();
        });
        loop = ClientLoop.start(20);
        request = Request.get(Target.of(URI.create(server.url())));
    }

    @AfterEach
    void stop() throws Exception {
        loop.close();
        server.close();
    }

    @Test
    void aStoppedLoadReportsTheMeasurementsUntilTheStop() throws Exception {
        ClosedLoop load = new ClosedLoop(loop, ClosedPlan.of(request, 2, Duration.ofHours(1)));
        CompletableFuture<LoadResult> result = load.start();
        assertTrue(hundred.await(60, TimeUnit.SECONDS));
        assertTrue(load.progress().get().failed() == 0);
        load.stop();
        assertTrue(result.get(60, TimeUnit.SECONDS).answered() >= 98);
        assertTrue(result.get().elapsed().toMinutes() < 1);
    }

    @Test
    void aLoadFailsIfItsClientLoopIsClosed() throws Exception {
        ClosedLoop load = new ClosedLoop(loop, ClosedPlan.of(request, 2, Duration.ofHours(1)));
        CompletableFuture<Void> failed = CompletableFuture.runAsync(() -> assertThrows(IOException.class, load::await));
        assertTrue(hundred.await(60, TimeUnit.SECONDS));
        loop.close();
        failed.get(60, TimeUnit.SECONDS);
    }
}
