package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.load.ClosedLoop;
import io.penstock.loadtest.load.ClosedPlan;
import io.penstock.loadtest.load.LoadResult;
import java.io.IOException;
import java.time.Duration;

/** The load test's own client. It reads large responses in large pieces, and can do every work. */
final class OwnClient implements Client {

    @Override
    public String title() {
        return "loadtest";
    }

    @Override
    public Got ask(Target target, Work.Requests work, Duration time) throws IOException, InterruptedException {
        ClosedPlan plan =
                ClosedPlan.of(request(target, work), work.connections(), time).withPipelining(work.pipelined());
        // A connection that the server has closed may still be counted when the next one is opened in its place.
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
