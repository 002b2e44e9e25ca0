package io.penstock.loadtest.starve;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.client.MultiplexedClient;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Response;
import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.RunningCrowd;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tries one kind of slow client after the other: more of them in each step, with some normal requests beside them, until the
 * normal requests are not answered any more. Between two steps the slow clients disconnect, and the server recovers.
 *
 * <p>Thread: the one that waits for the outcome.
 */
final class StarveExperiment {
    /** A response of this size does not fit into the system's buffers if the client does not read. */
    private static final int LARGE_RESPONSE = 4 << 20;

    private static final Duration TO_GATHER = Duration.ofSeconds(10);
    private static final Duration TO_RECOVER = Duration.ofSeconds(60);

    private final StarvePlan plan;
    private final ClientSettings settings;
    private final ClientLoop normal;
    private final ClientLoop slow;
    private final Bounds bounds;
    private final Consumer<String> progress;

    /**
     * @param settings of the client that checks whether a kind can be tried
     * @param normal for the normal requests
     * @param slow for the slow clients, which the bounds may close
     * @param progress gets a line for each step
     */
    StarveExperiment(
            StarvePlan plan,
            ClientSettings settings,
            ClientLoop normal,
            ClientLoop slow,
            Bounds bounds,
            Consumer<String> progress) {
        this.plan = plan;
        this.settings = settings;
        this.normal = normal;
        this.slow = slow;
        this.bounds = bounds;
        this.progress = progress;
    }

    /** The normal requests without slow clients. */
    Answered alone() throws IOException, InterruptedException {
        Answered alone = ask(plan.alone());
        if (alone.isStopped()) {
            throw new IOException("Without slow clients, only " + alone.describe());
        }
        return alone;
    }

    List<Finding> all() throws IOException, InterruptedException {
        List<Finding> findings = new ArrayList<>();
        for (SlowKind kind : plan.kinds()) {
            String obstacle = obstacle(kind);
            findings.add(obstacle.isEmpty() ? search(kind) : Finding.notTried(kind, obstacle));
        }
        return findings;
    }

    /** The reason why a kind cannot be tried; empty if it can. */
    private String obstacle(SlowKind kind) throws InterruptedException {
        if (!bounds.reached().isEmpty()) {
            return bounds.reached();
        }
        return switch (kind) {
            case UPLOADS -> obstacleToUploads();
            case READERS -> obstacleToReaders();
            case HEADS, IDLE -> "";
        };
    }

    private String obstacleToUploads() throws InterruptedException {
        Request small = Request.of("POST", plan.manner().upload()).withBody(new byte[] {'x'});
        try {
            int status = fetch(small).status();
            return status < 400
                    ? ""
                    : "a POST to " + plan.manner().upload().path() + " is answered with " + status
                            + "; name a URL that accepts POST with --upload-url";
        } catch (CallException failed) {
            return "a POST to " + plan.manner().upload().path() + " is not answered: " + failed.getMessage();
        }
    }

    private String obstacleToReaders() throws InterruptedException {
        try {
            Response response = fetch(Request.get(plan.manner().large()));
            if (response.status() >= 400) {
                return plan.manner().large().path() + " is answered with " + response.status();
            }
            int length = response.body().length;
            return length >= LARGE_RESPONSE
                    ? ""
                    : "the response has " + length
                            + " bytes, which fit into the buffers of the operating system, so no client can"
                            + " read them slowly; name a URL with 4 MB or more with --read-url";
        } catch (CallException failed) {
            // This failure means that the response is larger than the client's limit, so it is large enough.
            return failed.failure() == Failure.BAD_RESPONSE
                    ? ""
                    : plan.manner().large().path() + " is not answered: " + failed.getMessage();
        }
    }

    private Response fetch(Request request) throws CallException, InterruptedException {
        try (MultiplexedClient client = MultiplexedClient.start(settings)) {
            return client.fetch(request, TO_RECOVER);
        } catch (CallException failed) {
            throw failed;
        } catch (IOException cannot) {
            throw new CallException(Failure.CONNECT_FAILED, String.valueOf(cannot.getMessage()), cannot);
        }
    }

    private Finding search(SlowKind kind) throws IOException, InterruptedException {
        Threshold threshold = new Threshold(plan.first(), plan.limits().clients());
        Finding.@Nullable Step stopped = null;
        Finding.@Nullable Step served = null;
        @Nullable Duration recovery = null;
        try {
            for (int clients = threshold.next(); clients > 0; clients = threshold.next()) {
                Finding.Step step = step(kind, clients);
                threshold.tried(clients, step.answered().isStopped());
                progress.accept(kind.counted(clients) + ": " + step.answered().describe());
                long gone = System.nanoTime();
                boolean answers = awaitRecovery(gone);
                if (!step.answered().isStopped()) {
                    served = step;
                    continue;
                }
                stopped = step;
                if (!answers) {
                    return new Finding(kind, "", "the server did not answer again", stopped, served, null);
                }
                recovery = Duration.ofNanos(System.nanoTime() - gone);
            }
        } catch (IOException failed) {
            if (bounds.reached().isEmpty()) {
                throw failed;
            }
        }
        return new Finding(kind, "", bounds.reached(), stopped, served, recovery);
    }

    private Finding.Step step(SlowKind kind, int clients) throws IOException, InterruptedException {
        long sentBefore = slow.sentBytes();
        CrowdPlan crowd = CrowdPlan.of(clients, kind.of(plan.manner()));
        try (RunningCrowd standing = RunningCrowd.gatherReachable(slow, crowd, TO_GATHER)) {
            int stand = standing.tally().standing();
            Answered answered = ask(plan.step());
            standing.disperse(); // fails if a bound has closed the slow clients during the step
            double rate = kind.bytesASecond(plan.manner()) * clients;
            return new Finding.Step(clients, stand, slow.sentBytes() - sentBefore, rate, answered);
        }
    }

    /**
     * Sends requests until the server answers a whole step again; false if that takes more than a minute, or if a bound was
     * reached.
     */
    private boolean awaitRecovery(long since) throws IOException, InterruptedException {
        while (System.nanoTime() - since < TO_RECOVER.toNanos()
                && bounds.reached().isEmpty()) {
            if (ask(plan.step()).isComplete()) {
                return true;
            }
        }
        return false;
    }

    private Answered ask(OpenPlan requests) throws IOException, InterruptedException {
        return Answered.of(new OpenLoop(normal, requests).await());
    }
}
