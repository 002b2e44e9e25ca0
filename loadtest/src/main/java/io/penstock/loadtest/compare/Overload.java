package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.compare.Overload.Answers.Answer;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Normal load, then many more requests than a server can answer, and then normal load again.
 *
 * @param setting one changed setting of Penstock, with its value; without it, all servers are measured
 * @param ageNanos the maximum waiting time of a request; after this time it is refused. {@link #NO_AGE} if it is not known
 */
record Overload(Sizes sizes, Map<String, String> setting, long ageNanos) implements Job.Alone {
    static final Size<Integer> RATE = Size.count("--rate", 2000, 2000, "Requests per second during the overload.");
    static final Size<Duration> DURATION = Size.time("--duration", "1m", "1s", "Duration of the overload.");
    static final Size<Integer> WORKERS =
            Size.count("--workers", 4, 4, "Number of threads that run the servlet, for each server.");
    static final Size<Integer> MILLIS = Size.count("--millis", 20, 20, "Duration of a call of the servlet, in ms.");
    static final Size<Duration> DEADLINE = Size.time(
            "--deadline", "2s", "2s", "Time limit for a response. After it the client closes its connection.");
    static final Size<Integer> NORMAL_RATE =
            Size.count("--normal-rate", 100, 100, "Requests per second before and after the overload.");
    static final Size<Duration> BEFORE =
            Size.time("--before", "10s", "500ms", "Time before the overload, in which the normal latency is measured.");
    static final Size<Duration> AFTER =
            Size.time("--after", "30s", "2s", "Time after the overload, in which the server must be back to normal.");
    static final Size<Duration> QUEUE_AGE =
            Size.time("--queue-age", "400ms", "400ms", "Setting queue-age of the second row of Penstock.");
    static final Size<Integer> QUEUE = Size.number("--queue", 80, 80, "Setting queue of the third row of Penstock.");

    static final List<Size<?>> SIZES =
            List.of(RATE, DURATION, WORKERS, MILLIS, DEADLINE, NORMAL_RATE, BEFORE, AFTER, QUEUE_AGE, QUEUE);

    static final long NO_AGE = Long.MAX_VALUE;

    private static final int SPARE_CONNECTIONS = 1000;
    private static final double SHARP = 99.9;

    /** The number of successive normal answers after which a server has recovered. It is large enough to exclude chance. */
    private static final int IN_A_ROW = 20;

    @Override
    public int connections() {
        return Math.toIntExact(sizes.of(RATE) * sizes.of(DEADLINE).toMillis() / 1000) + SPARE_CONNECTIONS;
    }

    /** The number of virtual threads cannot be limited, so there is no capacity to overload. */
    @Override
    public boolean fits(Server server) {
        return Alone.super.fits(server)
                && server.threads() == Server.Threads.PLATFORM
                && (setting.isEmpty() || server.isPenstock());
    }

    @Override
    public void measure(Stage stage, Server server, Figures figures) throws IOException, InterruptedException {
        try (ServerProcess process = stage.start(server, this::settings);
                ClientLoop loop = ClientLoop.start(stage.clients(connections()))) {
            Target target = process.target("/work?millis=" + sizes.of(MILLIS));
            OpenPlan before = plan(target, sizes.of(NORMAL_RATE), sizes.of(BEFORE));
            Answers calm = new Watch(process).until(Answers.begin(loop, before), before.patience());
            if (calm.count(Answer::isGood) == 0) {
                throw new IOException("no request was answered before the overload");
            }
            Histogram usual = calm.latencies(Answer::isGood);
            figures.put(Figure.NORMAL, usual, 50);
            OpenPlan overload = plan(target, sizes.of(RATE), sizes.of(DURATION));
            OpenPlan after = plan(target, sizes.of(NORMAL_RATE), sizes.of(AFTER));
            Watch watch = new Watch(process);
            CompletableFuture<Answers> during = Answers.begin(loop, overload);
            CompletableFuture<Answers> afterwards = loop.begin(() -> later(loop, overload, after));
            putDuring(figures, watch.until(during, overload.patience()), watch.outdated());
            watch.put(figures);
            Answers recovering = watch.until(afterwards, after.patience());
            figures.put(Figure.RECOVERY, recoveryMillis(recovering, usual.getValueAtPercentile(50), IN_A_ROW));
        }
    }

    private ServerOptions settings(ServerOptions common) {
        ServerOptions options = common.withWorkers(sizes.of(WORKERS));
        for (Map.Entry<String, String> own : setting.entrySet()) {
            options = options.with(own.getKey(), own.getValue());
        }
        return options;
    }

    private OpenPlan plan(Target target, int perSecond, Duration length) {
        return OpenPlan.lasting(Request.get(target), perSecond, length)
                .withDeadline(sizes.of(DEADLINE))
                .withMaxConnections(connections());
    }

    /** Starts the second load at the planned end of the first load. */
    private static CompletableFuture<Answers> later(ClientLoop loop, OpenPlan first, OpenPlan second) {
        CompletableFuture<Answers> outcome = new CompletableFuture<>();
        loop.after(first.duration().toMillis(), () -> {
            var unused = Answers.begin(loop, second).thenAccept(outcome::complete);
        });
        return outcome;
    }

    /**
     * Stores the results of the requests that were due during the overload. A client sees the latency of a refusal (503), but not its
     * reason. So the refusals at once, those when the overload was found, and those for age are ranges of latency. The server counts the
     * requests that waited when it found its overload; this count is the size of the middle part.
     *
     * <pre>
     *   at once     | outdated                     | for age
     *   ------------+------------------------------+--------------> latency
     *               as many as the server counts   age
     * </pre>
     */
    void putDuring(Figures figures, Answers answers, long outdated) {
        long end = sizes.of(DURATION).toNanos();
        Predicate<Answer> inTime = answer ->
                answer.isGood() && answer.latency() <= sizes.of(DEADLINE).toNanos();
        double goodput = answers.count(answer -> inTime.test(answer) && answer.end() <= end) / (end / 1e9);
        figures.put(Figure.GOODPUT, goodput)
                .put(Figure.SHARE, 100 * goodput * sizes.of(MILLIS) / (1000.0 * sizes.of(WORKERS)))
                .put(Figure.GOOD_P99, answers.latencies(inTime), 99)
                .put(
                        Figure.TIMEOUTS,
                        answers.percent(answer -> answer.isTimeout() || answer.isGood() && !inTime.test(answer)))
                .put(Figure.CONNECT, answers.percent(Answer::isConnectError))
                .put(Figure.BROKEN, answers.percent(Overload::isOther));
        long[] waits = answers.all().stream()
                .filter(answer -> answer.isRefusal() && answer.latency() < ageNanos)
                .mapToLong(Answer::latency)
                .sorted()
                .toArray();
        int first = (int) Math.max(0, waits.length - outdated);
        long waited = first < waits.length ? waits[first] : ageNanos;
        Predicate<Answer> atOnce = refusal(0, waited);
        Predicate<Answer> found = refusal(waited, ageNanos);
        Predicate<Answer> aged = refusal(ageNanos, Long.MAX_VALUE);
        figures.put(Figure.REFUSED, answers.percent(atOnce))
                .put(Figure.REFUSED_P50, answers.latencies(atOnce), 50)
                .put(Figure.REFUSED_P999, answers.latencies(atOnce), SHARP)
                .put(Figure.OUTDATED, answers.percent(found))
                .put(Figure.OUTDATED_P999, answers.latencies(found), SHARP)
                .put(Figure.AGED, answers.percent(aged));
        Histogram old = answers.latencies(aged);
        if (old.getTotalCount() > 0) {
            figures.put(Figure.AGED_P999, (old.getValueAtPercentile(SHARP) - ageNanos) / 1e6);
        }
    }

    private static boolean isOther(Answer answer) {
        return answer.failure() == null
                ? !answer.isGood() && !answer.isRefusal()
                : !answer.isTimeout() && !answer.isConnectError();
    }

    private static Predicate<Answer> refusal(long from, long to) {
        return answer -> answer.isRefusal() && answer.latency() >= from && answer.latency() < to;
    }

    /**
     * The time from the end of the overload to the recovery, in milliseconds. The server has recovered with the first of several answers in
     * a row that take at most twice the normal latency. Infinite if it has not recovered.
     *
     * @param answers the requests after the overload; the first of them was due when the overload ended
     */
    static double recoveryMillis(Answers answers, long normalNanos, int inARow) {
        List<Answer> inOrder = answers.all().stream()
                .sorted(Comparator.comparingLong(Answer::due))
                .toList();
        int row = 0;
        for (int i = 0; i < inOrder.size(); i++) {
            Answer answer = inOrder.get(i);
            row = answer.isGood() && answer.latency() <= 2 * normalNanos ? row + 1 : 0;
            if (row == inARow) {
                return Math.floor(inOrder.get(i - inARow + 1).end() / 1e6);
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /** The outcome of each request of an open loop. */
    record Answers(List<Answer> all) {
        private static final long LONGEST = TimeUnit.MINUTES.toNanos(10);

        /**
         * The result of one request.
         *
         * @param due the time at which the request was due, in nanoseconds since the first request was due
         * @param latency the time from {@code due} to the response or failure, in nanoseconds
         * @param status the status of the response; 0 if there was no response
         * @param failure the reason for which there was no response; null if there was a response
         */
        record Answer(
                long due,
                long latency,
                int status,
                @Nullable Failure failure) {
            boolean isGood() {
                return status >= 200 && status < 300;
            }

            /** Whether the server has refused the request, since it is overloaded. */
            boolean isRefusal() {
                return status == 503;
            }

            /** Whether the request was not sent, because no connection could be made. */
            boolean isConnectError() {
                return failure == Failure.CONNECT_REFUSED
                        || failure == Failure.CONNECT_TIMED_OUT
                        || failure == Failure.CONNECT_FAILED;
            }

            boolean isTimeout() {
                return failure == Failure.DEADLINE;
            }

            long end() {
                return due + latency;
            }
        }

        Answers {
            all = List.copyOf(all);
        }

        /** Starts an open loop, and records its requests. Thread: any. */
        static CompletableFuture<Answers> begin(ClientLoop loop, OpenPlan plan) {
            // Only the thread of the ClientLoop adds to this list. The result is completed after the last addition, so
            // the list needs no lock.
            List<Answer> answers = new ArrayList<>(Math.toIntExact(plan.requests()));
            OpenLoop load = new OpenLoop(
                    loop,
                    plan,
                    (due, latency, status, failure) -> answers.add(new Answer(due, latency, status, failure)));
            return load.start().thenApply(result -> new Answers(answers));
        }

        long count(Predicate<Answer> which) {
            return all.stream().filter(which).count();
        }

        double percent(Predicate<Answer> which) {
            return all.isEmpty() ? 0 : 100.0 * count(which) / all.size();
        }

        /** The latencies of the selected requests, in nanoseconds. */
        Histogram latencies(Predicate<Answer> which) {
            Histogram latencies = new Histogram(LONGEST, 3);
            all.stream()
                    .filter(which)
                    .forEach(answer -> latencies.recordValue(Math.min(Math.max(0, answer.latency()), LONGEST)));
            return latencies;
        }
    }
}
