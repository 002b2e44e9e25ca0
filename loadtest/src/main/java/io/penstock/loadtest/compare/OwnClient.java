package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.load.ClosedLoop;
import io.penstock.loadtest.load.ClosedPlan;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.peers.TlsKey;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** The load test's own client, based on {@link ClosedLoop}. It reads large responses in large pieces. */
final class OwnClient {
    private OwnClient() {}

    static Client.Got send(Target target, Requests requests, Duration time, Optional<TlsKey> key)
            throws IOException, InterruptedException {
        ClosedPlan plan = ClosedPlan.of(request(target, requests), requests.connections(), time)
                .withPipelining(requests.pipelined());
        // The limit is twice the number of connections. When the server closes a connection, the next connection may be
        // opened before the closed connection is removed from the count.
        ClientSettings settings = ClientSettings.defaults().withMaxConnections(2 * requests.connections());
        try (ClientLoop loop =
                ClientLoop.start(key.isPresent() ? settings.withTls(key.get().client()) : settings)) {
            LoadResult result = new ClosedLoop(loop, plan).await();
            return new Client.Got(
                    result.answered(),
                    result.non2xx() + result.failed(),
                    result.elapsed().toNanos() / 1e9,
                    result.millis(50),
                    result.millis(99),
                    result.firstTrouble());
        }
    }

    private static Request request(Target target, Requests requests) {
        Request request = requests.body() == 0
                ? Request.get(target)
                : Request.of("POST", target)
                        .withField("Content-Type", "application/octet-stream")
                        .withZeros(requests.body());
        return requests.keepAlive() ? request : request.withField("Connection", "close");
    }
}
