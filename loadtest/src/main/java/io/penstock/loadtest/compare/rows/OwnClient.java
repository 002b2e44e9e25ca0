package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.load.ClosedLoop;
import io.penstock.loadtest.load.ClosedPlan;
import io.penstock.loadtest.load.LoadResult;
import java.io.IOException;
import java.time.Duration;

/**
 * The load test's own client, based on {@link ClosedLoop}. It reads large responses in large pieces, and supports every {@link
 * Work.Requests} without TLS.
 */
final class OwnClient implements Client {

    @Override
    public String title() {
        return "loadtest";
    }

    @Override
    public Got ask(Target target, Work.Requests work, Duration time) throws IOException, InterruptedException {
        ClosedPlan plan =
                ClosedPlan.of(request(target, work), work.connections(), time).withPipelining(work.pipelined());
        // The limit is twice the number of connections. When the server closes a connection, the next connection may be
        // opened before the closed connection is removed from the count.
        try (ClientLoop loop = ClientLoop.start(2 * work.connections())) {
            LoadResult result = new ClosedLoop(loop, plan).await();
            return new Got(
                    result.answered(),
                    result.non2xx() + result.failed(),
                    result.elapsed().toNanos() / 1e9,
                    result.millis(99) / result.millis(50),
                    result.firstTrouble());
        }
    }

    private static Request request(Target target, Work.Requests work) {
        Request request = work.body() == 0
                ? Request.get(target)
                : Request.of("POST", target)
                        .withField("Content-Type", "application/octet-stream")
                        .withBody(new byte[work.body()]);
        return work.keepAlive() ? request : request.withField("Connection", "close");
    }
}
