package io.penstock.loadtest.starve;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.RunningCrowd;
import io.penstock.loadtest.crowd.SlowClient;
import io.penstock.loadtest.crowd.Tally;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import io.penstock.loadtest.starve.StarveReport.Finding;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
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
    private final ClientLoop normal;
    private final ClientLoop slow;
    private final Bounds bounds;
    private final Consumer<String> progress;

    /**
     * @param normal the loop for the normal requests
     * @param slow the loop for the slow clients; {@code bounds} closes it when a bound is reached
     * @param progress a function that receives one line of text for each step
     */
    StarveExperiment(StarvePlan plan, ClientLoop normal, ClientLoop slow, Bounds bounds, Consumer<String> progress) {
        this.plan = plan;
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
    private String obstacle(SlowKind kind) throws IOException, InterruptedException {
        if (!bounds.reached().isEmpty()) {
            return bounds.reached();
        }
        return kind.isUpload() ? obstacleToUploads() : kind.isReader() ? obstacleToReaders() : "";
    }

    private String obstacleToUploads() throws IOException, InterruptedException {
        LoadResult result = fetch(Request.of("POST", plan.upload()).withBody(new byte[] {' '}));
        if (result.statuses().isEmpty()) {
            return "a POST to " + plan.upload().path() + " is not answered: " + result.firstTrouble();
        }
        int status = result.statuses().firstKey();
        return status < 400 || HAS_READ_THE_BODY.contains(status)
                ? ""
                : "a POST to " + plan.upload().path() + " is answered with " + status + "; " + hint(status);
    }

    private static String hint(int status) {
        return switch (status) {
            case 401, 403 -> "send the fields that the application needs, such as a cookie, with --header";
            case 415 -> "name the type of the body with --content-type";
            default -> "name a URL that accepts POST with --upload-url";
        };
    }

    private String obstacleToReaders() throws IOException, InterruptedException {
        long before = normal.receivedBytes();
        LoadResult result = fetch(Request.get(plan.large()));
        long length = normal.receivedBytes() - before;
        String path = plan.large().path();
        if (result.statuses().isEmpty()) {
            // A response that has not ended in time can be large enough for slow readers.
            return length >= LARGE_RESPONSE ? "" : path + " is not answered: " + result.firstTrouble();
        }
        if (result.statuses().firstKey() >= 400) {
            return path + " is answered with " + result.statuses().firstKey();
        }
        return length >= LARGE_RESPONSE
                ? ""
                : "the response has only " + length + " bytes with its head, which fit into the buffers of the"
                        + " operating system, so no client can read them slowly; name a URL with 4 MB or more with"
                        + " --read-url";
    }

    private LoadResult fetch(Request request) throws IOException, InterruptedException {
        return new OpenLoop(normal, OpenPlan.ofRequests(request, 1, 1).withDeadline(TO_RECOVER)).await();
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

    /**
     * Finds the smallest number that has a certain effect. First the number is doubled until the effect appears. After that, numbers in the
     * middle between the largest number without the effect and the smallest number with the effect are tried (binary search). If the first
     * number does not have the effect, no tried number is larger than twice the result.
     *
     * <p>Thread: one thread.
     */
    static final class Threshold {
        private final int first;
        private final int most;
        private int without;
        private int with = Integer.MAX_VALUE;

        /**
         * @param first the number to begin with
         * @param most the largest number that is tried
         */
        Threshold(int first, int most) {
            this.first = Math.min(first, most);
            this.most = most;
        }

        /** The next number to try; 0 if the search is complete. */
        int next() {
            if (isFound()) {
                return with - without == 1 ? 0 : without + (with - without) / 2;
            }
            if (without == most) {
                return 0;
            }
            return without == 0 ? first : (int) Math.min(most, 2L * without);
        }

        /** Records whether a number from {@link #next} had the effect. */
        void tried(int number, boolean effect) {
            if (effect) {
                with = Math.min(with, number);
            } else {
                without = Math.max(without, number);
            }
        }

        boolean isFound() {
            return with != Integer.MAX_VALUE;
        }

        /** The smallest tried number with the effect. Call this only if {@link #isFound} is true. */
        int with() {
            return with;
        }

        /** The largest tried number without the effect; 0 if every tried number had the effect. */
        int without() {
            return without;
        }
    }

    /**
     * Limits the bytes and the time of all slow clients together. When the slow clients have sent the maximum number of bytes, or when the time
     * is over, the {@link ClientLoop} of the slow clients is closed. This closes all their connections.
     *
     * <p>Thread: any. Owns: the thread {@code bounds}, which checks the limits every 20 ms.
     */
    static final class Bounds implements AutoCloseable {
        private static final int MILLIS_BETWEEN_LOOKS = 20;

        private final ClientLoop slow;
        private final Limits limits;
        private final long until;
        private final ScheduledExecutorService looks;
        private volatile String reached = "";

        /**
         * The values of the bounds.
         *
         * @param clients the maximum number of slow clients at the same time
         * @param bytes the maximum number of bytes that all slow clients together send in the whole search
         * @param time the maximum time of the search, including the normal requests without slow clients before it
         */
        record Limits(int clients, long bytes, Duration time) {

            String describe() {
                return clients + " clients of one kind, " + bytes + " bytes, " + DurationConverter.text(time);
            }
        }

        /** Starts the checks. The time is counted from now. */
        Bounds(ClientLoop slow, Limits limits) {
            this.slow = slow;
            this.limits = limits;
            this.until = System.nanoTime() + limits.time().toNanos();
            this.looks = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread thread = new Thread(task, "bounds");
                thread.setDaemon(true);
                return thread;
            });
            var unused = looks.scheduleWithFixedDelay(this::look, 0, MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS);
        }

        private void look() {
            if (!reached.isEmpty()) {
                return;
            }
            if (System.nanoTime() - until >= 0) {
                reached = "the time bound was reached (" + DurationConverter.text(limits.time()) + ")";
            } else if (slow.sentBytes() >= limits.bytes()) {
                reached = "the bound for sent bytes was reached (" + limits.bytes() + ")";
            } else {
                return;
            }
            slow.close();
        }

        /** A text about the bound that was reached; empty if no bound was reached. */
        String reached() {
            return reached;
        }

        @Override
        public void close() {
            looks.shutdownNow();
        }
    }
}
