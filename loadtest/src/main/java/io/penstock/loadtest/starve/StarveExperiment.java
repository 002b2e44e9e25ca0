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
import io.penstock.loadtest.crowd.SlowClient;
import io.penstock.loadtest.crowd.Tally;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Searches for the number of slow clients at which the server stops answering, for one kind of slow client after the other. In each step, a
 * certain number of slow clients is connected, and normal requests are sent. The number is increased until less than half of the normal
 * requests are answered; after that, {@link Threshold} finds the exact number. Between two steps the slow clients disconnect, and the
 * server recovers.
 *
 * <p>Thread: the thread that waits for the result.
 */
final class StarveExperiment {
    /** The size of a response that does not fit into the socket buffers of client and server, in bytes. */
    private static final int LARGE_RESPONSE = 4 << 20;

    /** An application answers with these if it has read a body that it does not understand. So it also reads a slow body. */
    private static final Set<Integer> HAS_READ_THE_BODY = Set.of(400, 422);

    private static final Duration TO_GATHER = Duration.ofSeconds(10);
    private static final Duration TO_RECOVER = Duration.ofSeconds(60);

    private final StarvePlan plan;
    private final ClientSettings settings;
    private final ClientLoop normal;
    private final ClientLoop slow;
    private final Bounds bounds;
    private final Consumer<String> progress;

    /**
     * @param settings the settings of the client that checks whether a kind of slow client can be tried
     * @param normal the loop for the normal requests
     * @param slow the loop for the slow clients; {@code bounds} closes it when a bound is reached
     * @param progress a function that receives one line of text for each step
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

    /** Measures normal requests without slow clients. */
    Finding.Answered alone() throws IOException, InterruptedException {
        Finding.Answered alone = ask(plan.alone());
        if (alone.isStopped()) {
            throw new IOException("Without slow clients, only " + alone.describe());
        }
        return alone;
    }

    List<Finding> all() throws IOException, InterruptedException {
        List<Finding> findings = new ArrayList<>();
        for (SlowKind kind : plan.kinds) {
            String obstacle = obstacle(kind);
            findings.add(obstacle.isEmpty() ? search(kind) : Finding.notTried(kind, obstacle));
        }
        return findings;
    }

    /** The reason for which a kind of slow client cannot be tried; empty if it can be tried. */
    private String obstacle(SlowKind kind) throws InterruptedException {
        if (!bounds.reached().isEmpty()) {
            return bounds.reached();
        }
        return kind.isUpload() ? obstacleToUploads() : kind.isReader() ? obstacleToReaders() : "";
    }

    private String obstacleToUploads() throws InterruptedException {
        Request small = Request.of("POST", plan.upload()).withBody(new byte[] {' '});
        try {
            int status = fetch(small).status();
            return status < 400 || HAS_READ_THE_BODY.contains(status)
                    ? ""
                    : "a POST to " + plan.upload().path() + " is answered with " + status + "; " + hint(status);
        } catch (CallException failed) {
            return "a POST to " + plan.upload().path() + " is not answered: " + failed.getMessage();
        }
    }

    private static String hint(int status) {
        return switch (status) {
            case 401, 403 -> "send the fields that the application needs, such as a cookie, with --header";
            case 415 -> "name the type of the body with --content-type";
            default -> "name a URL that accepts POST with --upload-url";
        };
    }

    private String obstacleToReaders() throws InterruptedException {
        try {
            Response response = fetch(Request.get(plan.large()));
            if (response.status() >= 400) {
                return plan.large().path() + " is answered with " + response.status();
            }
            int length = response.body().length;
            return length >= LARGE_RESPONSE
                    ? ""
                    : "the response has " + length
                            + " bytes, which fit into the buffers of the operating system, so no client can"
                            + " read them slowly; name a URL with 4 MB or more with --read-url";
        } catch (CallException failed) {
            // This failure means that the response is larger than the limit of the client. So the response is large
            // enough for slow readers.
            return failed.failure() == Failure.BAD_RESPONSE
                    ? ""
                    : plan.large().path() + " is not answered: " + failed.getMessage();
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
        Threshold threshold = new Threshold(plan.first, plan.clients);
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
                    String notSlow = served == null ? notSlow(kind, step) : "";
                    if (!notSlow.isEmpty()) {
                        return Finding.notTried(kind, notSlow);
                    }
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

    /** The reason for which the clients of a step were not slow; empty if they were. */
    private static String notSlow(SlowKind kind, Finding.Step step) {
        if (kind.isUpload() && step.refused() >= step.clients()) {
            return "the server answers them with an error before it has their bodies, so they are not slow;"
                    + " name a URL or a type that it reads with --upload-url or --content-type";
        }
        if (step.standing() == 0) {
            return "none of them stays connected" + (step.lastTrouble().isEmpty() ? "" : ": " + step.lastTrouble());
        }
        return "";
    }

    private Finding.Step step(SlowKind kind, int clients) throws IOException, InterruptedException {
        long sentBefore = slow.sentBytes();
        SlowClient.Manner manner = plan.manner(kind);
        CrowdPlan crowd = CrowdPlan.of(clients, kind.client(), manner);
        try (RunningCrowd standing = RunningCrowd.gatherReachable(slow, crowd, TO_GATHER)) {
            int stand = standing.tally().standing();
            Finding.Answered answered = ask(plan.step());
            // If a bound has closed the slow clients during the step, this call throws an exception.
            Tally last = standing.disperse();
            double rate = kind.bytesASecond(manner) * clients;
            long sent = slow.sentBytes() - sentBefore;
            return new Finding.Step(clients, stand, sent, rate, last.refused(), last.lastTrouble(), answered);
        }
    }

    /**
     * Sends the normal requests of a step, again and again, until all of them are answered. Returns false if this takes more than a minute,
     * or if a bound is reached.
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

    private Finding.Answered ask(OpenPlan requests) throws IOException, InterruptedException {
        return Finding.Answered.of(new OpenLoop(normal, requests).await());
    }
}
