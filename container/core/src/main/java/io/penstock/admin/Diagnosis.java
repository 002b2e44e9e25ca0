package io.penstock.admin;

import static io.penstock.admin.Figures.count;
import static io.penstock.admin.Figures.time;

import io.penstock.admin.Condition.Part;
import io.penstock.admin.Condition.Tone;
import io.penstock.metrics.Gauge;
import io.penstock.time.Saturated;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the present {@link Condition} of a server. */
final class Diagnosis {
    /** The smallest number of slow clients that the condition mentions. */
    private static final long MANY = 10;

    /** The shortest wait that people notice. */
    private static final long NOTICED_MILLIS = 50;

    /** A certificate that expires within this number of days is mentioned. */
    private static final long SOON_DAYS = 14;

    private static final long DAY_MILLIS = Saturated.millis(Duration.ofDays(1));

    private static final double NEARLY_FULL = 0.9;
    private static final long NANOS_OF_MILLI = 1_000_000;

    /** A servlet or path with this number of workers holds many. */
    private static final int MANY_WORKERS = 16;

    private Diagnosis() {}

    static Condition of(Sample sample) {
        if (sample.health() != Watched.Health.READY) {
            return notReady(sample);
        }
        Condition cause = cause(sample);
        if (cause == null) {
            return calm(sample);
        }
        return Stream.of(LossSentences.failures(sample), certificates(sample), deployments(sample))
                .flatMap(Optional::stream)
                .reduce(cause.with(LossSentences.refusalsThatFollow(sample)), Condition::and);
    }

    /** The reason why requests cannot proceed or must wait; null if all requests proceed. */
    private static @Nullable Condition cause(Sample sample) {
        List<String> silent = sample.busiest().silent();
        if (!silent.isEmpty()) {
            return new Condition(
                    Tone.BAD,
                    "Clients stand still: " + silent.get(0) + ".",
                    silent.stream()
                            .skip(1)
                            .map(reactor -> "Likewise: " + reactor + ".")
                            .toList(),
                    Part.CLIENTS);
        }
        if (sample.level(Gauge.BODIES_STARVING) > 0) {
            return starving(sample);
        }
        if (isOver(sample, Gauge.SPOOL_BYTES, Gauge.SPOOL_LIMIT)) {
            return new Condition(
                    Tone.BAD,
                    "The disk space for bodies is nearly used up.",
                    List.of("Bodies on disk hold " + Figures.bytes(sample.level(Gauge.SPOOL_BYTES)) + " of "
                            + Figures.bytes(sample.level(Gauge.SPOOL_LIMIT)) + "."),
                    Part.RESERVES);
        }
        if (allWorkersAreBusy(sample) && isFelt(sample)) {
            return busy(sample);
        }
        List<Watched.Bulkhead> holdBack =
                sample.bulkheads().stream().filter(Watched.Bulkhead::holdsBack).toList();
        if (!holdBack.isEmpty()) {
            return heldBack(holdBack);
        }
        if (sample.level(Gauge.QUEUED) > 0 && sample.level(Gauge.WORKERS_STREAMING) > 0) {
            return limitOfWorkers(sample, "that stream", Gauge.WORKERS_STREAMING);
        }
        if (sample.level(Gauge.QUEUED) > 0 && sample.level(Gauge.WORKERS_SPOOLING) > 0) {
            return limitOfWorkers(sample, "that wait for the disk", Gauge.WORKERS_SPOOLING);
        }
        if (sample.level(Gauge.QUEUE_OLDEST) >= NOTICED_MILLIS) {
            // A servlet that is slow leaves some workers to others, and its own requests wait.
            return busy(sample);
        }
        return null;
    }

    private static Condition limitOfWorkers(Sample sample, String which, Gauge workers) {
        return new Condition(
                Tone.BUSY,
                "The limit of workers " + which + " is reached (" + count(sample.level(workers)) + ").",
                List.of(waits(sample), "Other requests are served."),
                Part.WORKERS);
    }

    /** A condition such as {@code The bulkhead /reports has all its 4 workers busy.} */
    private static Condition heldBack(List<Watched.Bulkhead> holdBack) {
        Watched.Bulkhead first = holdBack.get(0);
        int workers = first.limits().maxWorkers();
        String text = "The bulkhead " + Views.cut(first.limits().path())
                + (workers == 1 ? " has its one worker busy." : " has all its " + count(workers) + " workers busy.");
        List<String> others = holdBack.size() == 1
                ? List.of()
                : List.of(count(holdBack.size() - 1L)
                        + (holdBack.size() == 2 ? " other bulkhead holds" : " other bulkheads hold")
                        + " requests back, too.");
        String waits = count(first.queued(), "request")
                + (first.queued() == 1 ? " waits there." : " wait there.")
                + " Other requests are served.";
        return new Condition(Tone.BUSY, text, List.of(waits), Part.WORKERS, Part.BULKHEADS).with(others);
    }

    private static Condition notReady(Sample sample) {
        if (sample.health() == Watched.Health.STARTING) {
            return new Condition(
                    Tone.NOT_READY, "The server is starting.", List.of("It is not ready for requests yet."));
        }
        long left = sample.level(Gauge.CONNECTIONS);
        return new Condition(
                Tone.NOT_READY,
                "The server is ending.",
                List.of(
                        left == 0
                                ? "Nobody is connected any more."
                                : count(left, "client") + (left == 1 ? " is" : " are") + " still connected."));
    }

    /**
     * The condition in which the memory for bodies is used up. The sentence of this condition can show fewer used bytes than the budget
     * has, because the last tenth of the budget is reserved for uses that help to free memory.
     */
    private static Condition starving(Sample sample) {
        long clients = sample.level(Gauge.BODIES_STARVING);
        String text = "Memory for bodies is short (" + Figures.bytes(sample.level(Gauge.PIPE_BYTES)) + " of "
                + Figures.bytes(sample.level(Gauge.PIPE_BUDGET)) + ").";
        List<String> notRead =
                List.of(count(clients, "client") + (clients == 1 ? " is" : " are") + " not read until some is free.");
        // If all workers are busy, bodies of waiting requests fill the memory. In this case, the busy workers are the
        // cause.
        return allWorkersAreBusy(sample) && isFelt(sample)
                ? busy(sample).and(new Condition(Tone.BAD, text, notRead, Part.RESERVES))
                : new Condition(Tone.BAD, text, notRead, Part.RESERVES, Part.ARRIVING);
    }

    private static boolean isOver(Sample sample, Gauge level, Gauge limit) {
        return sample.level(limit) > 0 && sample.level(level) >= NEARLY_FULL * sample.level(limit);
    }

    private static boolean allWorkersAreBusy(Sample sample) {
        return sample.level(Gauge.WORKERS_BUSY) >= sample.level(Gauge.WORKERS);
    }

    /** Whether clients notice the load. Busy workers and a short queue alone are normal. */
    private static boolean isFelt(Sample sample) {
        return sample.refused() >= 1
                || sample.level(Gauge.QUEUE_OLDEST) >= NOTICED_MILLIS
                || sample.workers().stream().allMatch(worker -> worker.nanos() >= NOTICED_MILLIS * NANOS_OF_MILLI);
    }

    private static Condition busy(Sample sample) {
        String waiting = waits(sample);
        Tone tone = sample.refused() >= 1 ? Tone.BAD : Tone.BUSY;
        long held = sample.workers(Watched.Doing::isForClient);
        long all = sample.level(Gauge.WORKERS);
        if (held > 0 && held * 2 >= sample.workers(doing -> doing != Watched.Doing.IDLE)) {
            String clients = count(held) + " of " + count(all, "worker")
                    + (held == 1 ? " waits for its client." : " wait for their clients.");
            return new Condition(tone, "Clients hold the workers.", List.of(clients, waiting), Part.WORKERS);
        }
        long longest =
                sample.workers().stream().mapToLong(Watched.Worker::nanos).max().orElse(0);
        List<Watched.Worker> working = sample.workers().stream()
                .filter(worker -> worker.doing() != Watched.Doing.IDLE)
                .toList();
        CommonCode common = CommonCode.of(working, sample.applications());
        boolean slow = longest >= NOTICED_MILLIS * NANOS_OF_MILLI;
        Condition busy = new Condition(
                tone,
                slow ? common.slow() : "More requests come than the workers can serve.",
                List.of(common.words(all) + (slow ? ", for up to " + time(longest) : "") + ".", waiting),
                Part.WORKERS);
        return busy.with(holders(sample)).with(allWorkersAreBusy(sample) ? List.of() : List.of("Others are served."));
    }

    /** A sentence with the mappings that hold many workers each; empty if there are less than two of them. */
    private static List<String> holders(Sample sample) {
        List<String> holders = sample.mappings().stream()
                .filter(mapping ->
                        mapping.running() >= MANY_WORKERS && mapping.running() * 8L >= sample.level(Gauge.WORKERS))
                .map(mapping -> Views.cut(mapping.name()) + " (" + count(mapping.running()) + ")")
                .toList();
        return holders.size() < 2 ? List.of() : List.of("Workers are held by " + String.join(", ", holders) + ".");
    }

    /**
     * A sentence such as {@code 80 requests for /shop orders wait, the oldest for 380 ms.} It names the servlet or path for which the most
     * requests wait.
     */
    private static String waits(Sample sample) {
        long queued = sample.level(Gauge.QUEUED);
        if (queued == 0) {
            return "No request waits for a worker.";
        }
        long millis = sample.level(Gauge.QUEUE_OLDEST);
        Optional<Watched.Mapping> most = sample.mappings().stream()
                .filter(mapping -> mapping.waiting() > 0)
                .max(Comparator.comparingInt(Watched.Mapping::waiting));
        String name = most.map(mapping -> Views.cut(mapping.name())).orElse("");
        String all = most.filter(mapping -> mapping.waiting() >= queued).isPresent() ? " for " + name : "";
        String part =
                all.isEmpty() && most.isPresent() ? count(most.get().waiting()) + " of them for " + name + ", " : "";
        return count(queued, "request")
                + all
                + (queued == 1 ? " waits, for " : " wait, " + part + "the oldest for ")
                + (millis == 0 ? "less than 1 ms" : time(millis * NANOS_OF_MILLI))
                + ".";
    }

    /** The condition if no request must wait. It contains the problems, the worst problem first, and then the other activity. */
    private static Condition calm(Sample sample) {
        return Stream.of(
                        LossSentences.failures(sample),
                        LossSentences.refusals(sample),
                        certificates(sample),
                        deployments(sample))
                .flatMap(Optional::stream)
                .sorted(Comparator.comparing(Condition::tone).reversed())
                .reduce(Condition::and)
                .map(problem -> problem.and(otherwise(sample).unmarked()))
                .orElseGet(() -> otherwise(sample));
    }

    private static Condition otherwise(Sample sample) {
        long clients = sample.level(Gauge.CONNECTIONS);
        if (sample.slow() >= MANY && sample.slow() * 4 >= clients - resting(sample)) {
            return slow(sample);
        }
        if (sample.pace().requests() >= 1) {
            return new Condition(Tone.CALM, answered(sample) + ".", times(sample)).with(List.of(waits(sample)));
        }
        return new Condition(Tone.CALM, quiet(sample, clients), List.of());
    }

    /** A clause such as {@code 600 requests a second are answered}. */
    private static String answered(Sample sample) {
        String number = count(sample.pace().requests());
        boolean one = Figures.isOne(number);
        return number + (one ? " request a second is answered" : " requests a second are answered");
    }

    private static List<String> times(Sample sample) {
        Percentiles total = sample.pace().total();
        return total.count() == 0
                ? List.of()
                : List.of("Times: p50 " + time(total.half()) + ", p99 " + time(total.ninetyNine()) + ", max "
                        + time(total.longest()) + ".");
    }

    private static boolean isExpired(Sample sample) {
        return sample.level(Gauge.CERTIFICATE_EXPIRY_TIMESTAMP) != 0 && daysLeft(sample) < 0;
    }

    /** The whole days until the first certificate expires. */
    private static long daysLeft(Sample sample) {
        return daysLeft(Instant.ofEpochMilli(sample.level(Gauge.CERTIFICATE_EXPIRY_TIMESTAMP)), sample.at());
    }

    /** The whole days until the certificate expires; negative if it has expired. */
    static long daysLeft(Instant expires, Instant now) {
        return Math.floorDiv(Saturated.millis(expires) - Saturated.millis(now), DAY_MILLIS);
    }

    /** A problem of the certificates that an operator must solve; empty if there is none. */
    private static Optional<Condition> certificates(Sample sample) {
        String sentence = certificateSentence(sample);
        return sentence.isEmpty()
                ? Optional.empty()
                : Optional.of(new Condition(
                        isExpired(sample) ? Tone.BAD : Tone.ATTENTION, sentence, List.of(), Part.CERTIFICATES));
    }

    private static String certificateSentence(Sample sample) {
        if (sample.level(Gauge.CERTIFICATES_OUTDATED) > 0) {
            return "The files of certificates have changed and cannot be used.";
        }
        if (sample.level(Gauge.CERTIFICATE_PENDING) > 0) {
            return "The authority has not signed a certificate yet.";
        }
        long left = daysLeft(sample);
        if (sample.level(Gauge.CERTIFICATE_EXPIRY_TIMESTAMP) == 0 || left >= SOON_DAYS) {
            return "";
        }
        String which = sample.certificates().stream()
                .min(Comparator.comparing(Watched.Certificate::expires))
                .map(first -> "The certificate of " + Views.cut(first.names()))
                .orElse("A certificate");
        return which + (left < 0 ? " has expired." : " expires in " + count(left, "day") + ".");
    }

    /** The failed deployments; empty if there are none. The page shows the reasons below the sentence. */
    private static Optional<Condition> deployments(Sample sample) {
        List<Watched.Failure> failed = sample.failures();
        if (failed.isEmpty()) {
            return Optional.empty();
        }
        String sentence = failed.size() == 1
                ? "The application " + Views.cut(failed.get(0).path()) + " was not deployed."
                : count(failed.size()) + " applications were not deployed.";
        return Optional.of(new Condition(Tone.ATTENTION, sentence, List.of()));
    }

    private static String quiet(Sample sample, long clients) {
        if (clients == 0) {
            return "Quiet: nobody is connected.";
        }
        long busy = sample.level(Gauge.WORKERS_BUSY);
        String connected = count(clients, "client") + (clients == 1 ? " is" : " are") + " connected";
        return switch (sample.pace().source()) {
            case REQUESTS ->
                busy == 0
                        ? "Quiet: " + connected + ", and almost no requests arrive."
                        : connected + "; " + count(busy, "request") + (busy == 1 ? " is" : " are") + " with a worker.";
            case NONE -> connected + ". The request rate is unknown: requests are not measured.";
        };
    }

    /** The number of clients without a request in progress: idle and upgraded connections. */
    private static long resting(Sample sample) {
        return sample.level(Gauge.CONNECTIONS_IDLE) + sample.level(Gauge.CONNECTIONS_UPGRADED);
    }

    /** A condition such as {@code 4,000 clients send slowly, 12 take their answers slowly.} */
    private static Condition slow(Sample sample) {
        long sending = sample.sending();
        long taking = sample.level(Gauge.CONNECTIONS_DRAINING);
        Set<Part> at = EnumSet.noneOf(Part.class);
        StringBuilder text = new StringBuilder();
        if (sending > 0) {
            at.add(Part.ARRIVING);
            text.append(count(sending, "client")).append(sending == 1 ? " sends slowly" : " send slowly");
        }
        if (taking > 0) {
            at.add(Part.DRAINING);
            text.append(sending > 0 ? ", " : "")
                    .append(sending > 0 ? count(taking) : count(taking, "client"))
                    .append(taking == 1 ? " takes its answer slowly" : " take their answers slowly");
        }
        long waiting = sample.level(Gauge.WORKERS_WAITING);
        List<String> details = new ArrayList<>();
        details.add(
                waiting == 0
                        ? "No worker waits for them."
                        : count(waiting, "worker") + (waiting == 1 ? " waits" : " wait") + " for them.");
        if (sample.pace().requests() >= 1) {
            details.add(answered(sample) + " meanwhile.");
        }
        return new Condition(Tone.SLOW, text.append('.').toString(), details, at);
    }
}
