package io.penstock.admin;

import static io.penstock.admin.Figures.count;
import static io.penstock.admin.Figures.time;

import io.penstock.limits.Gauge;
import io.penstock.time.Saturated;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The present condition of a server in a sentence or two: first the worst problem, then its visible cause.
 *
 * @param tone how serious it is
 * @param at the part of the board that shows it
 */
record Condition(Tone tone, String sentence, Set<Part> at) {
    /** Fewer slow clients are not mentioned. */
    private static final long MANY = 10;

    /** Shorter waits are not noticeable. */
    private static final long NOTICED_MILLIS = 50;

    /** A certificate that is valid for longer is not mentioned. */
    private static final long SOON_DAYS = 14;

    private static final long DAY_MILLIS = Saturated.millis(Duration.ofDays(1));

    /** The time that rates cover. */
    private static final Duration RECENTLY = Duration.ofSeconds(2);

    private static final double NEARLY_FULL = 0.9;
    private static final long NANOS_OF_MILLI = 1_000_000;

    /** How serious the condition is. */
    enum Tone {
        /** Nothing to do. */
        CALM("Calm"),
        /** Nothing to do, but visible: clients are slow, at no cost. */
        SLOW("Slow clients"),
        /** The server is starting or ending. */
        NOT_READY("Not ready"),
        /** Something that an operator should look at, while most is well. */
        ATTENTION("Attention"),
        /** Working at capacity. */
        BUSY("Busy"),
        /** Clients are refused, or their requests do not proceed. */
        BAD("Trouble");

        private final String word;

        Tone(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /** The parts of the board that can show a cause: first those that a request passes. */
    enum Part {
        CLIENTS,
        ARRIVING,
        QUEUE,
        WORKERS,
        DRAINING,
        BULKHEADS,
        RESERVES,
        CERTIFICATES,
        FAILURES,
        REFUSALS
    }

    private Condition(Tone tone, String sentence, Part... at) {
        this(tone, sentence, Set.of(at));
    }

    static Condition of(Sample sample) {
        if (sample.health() != Watched.Health.READY) {
            return notReady(sample);
        }
        if (!sample.busiest().silent().isEmpty()) {
            return new Condition(
                    Tone.BAD,
                    "Clients stand still: " + String.join("; ", sample.busiest().silent()) + ".",
                    Part.CLIENTS);
        }
        if (sample.level(Gauge.BODIES_STARVING) > 0) {
            return starving(sample);
        }
        if (isOver(sample, Gauge.SPOOL_BYTES, Gauge.SPOOL_LIMIT)) {
            return new Condition(
                    Tone.BAD,
                    "The disk's share is nearly used up: bodies on disk hold "
                            + Figures.bytes(sample.level(Gauge.SPOOL_BYTES)) + " of "
                            + Figures.bytes(sample.level(Gauge.SPOOL_LIMIT)) + ".",
                    Part.RESERVES);
        }
        if (allWorkersAreBusy(sample) && isFelt(sample)) {
            return busy(sample);
        }
        List<Watched.Bulkhead> holdBack =
                sample.bulkheads().stream().filter(Watched.Bulkhead::holdsBack).toList();
        if (!holdBack.isEmpty()) {
            return heldBack(sample, holdBack);
        }
        if (sample.level(Gauge.QUEUED) > 0 && sample.level(Gauge.WORKERS_STREAMING) > 0) {
            return new Condition(
                    Tone.BUSY,
                    "The limit of workers that stream is reached ("
                            + count(sample.level(Gauge.WORKERS_STREAMING)) + "): "
                            + waits(sample) + ". Others are served.",
                    Part.WORKERS);
        }
        if (sample.level(Gauge.QUEUED) > 0 && sample.level(Gauge.WORKERS_SPOOLING) > 0) {
            return new Condition(
                    Tone.BUSY,
                    "The limit of workers that wait for the disk is reached ("
                            + count(sample.level(Gauge.WORKERS_SPOOLING)) + "): "
                            + waits(sample) + ". Others are served.",
                    Part.WORKERS);
        }
        return atEase(sample);
    }

    /** {@code The bulkhead /reports has all its 4 workers: 96 requests wait there. Others are served.}. */
    private static Condition heldBack(Sample sample, List<Watched.Bulkhead> holdBack) {
        Watched.Bulkhead first = holdBack.get(0);
        int workers = first.limits().maxWorkers();
        String text = "The bulkhead " + Views.cut(first.limits().path())
                + (workers == 1 ? " has its one worker busy: " : " has all its " + count(workers) + " workers busy: ")
                + count(first.queued(), "request")
                + (first.queued() == 1 ? " waits there" : " wait there")
                + (holdBack.size() == 1
                        ? ""
                        : "; " + count(holdBack.size() - 1L)
                                + (holdBack.size() == 2 ? " other bulkhead holds" : " other bulkheads hold")
                                + " requests back, too")
                + (sample.refused() >= 1 ? ", and " + count(sample.refused()) + " a second are refused" : "")
                + ". Others are served.";
        return new Condition(mostFail(sample) ? Tone.BAD : Tone.BUSY, text, Part.WORKERS, Part.BULKHEADS);
    }

    private static Condition notReady(Sample sample) {
        if (sample.health() == Watched.Health.STARTING) {
            return new Condition(Tone.NOT_READY, "The server is starting. It does not want requests yet.");
        }
        long left = sample.level(Gauge.CONNECTIONS);
        return new Condition(
                Tone.NOT_READY,
                "The server is ending. "
                        + (left == 0
                                ? "Nobody is connected any more."
                                : count(left, "client") + (left == 1 ? " is" : " are") + " still connected."));
    }

    /** The numbers do not say that all is used: a part is kept for bytes that free the rest. */
    private static Condition starving(Sample sample) {
        long clients = sample.level(Gauge.BODIES_STARVING);
        String text = "Memory for bodies is short (" + Figures.bytes(sample.level(Gauge.PIPE_BYTES)) + " of "
                + Figures.bytes(sample.level(Gauge.PIPE_BUDGET)) + "): " + count(clients, "client")
                + (clients == 1 ? " is" : " are") + " not read until some is free.";
        return allWorkersAreBusy(sample) && isFelt(sample)
                ? new Condition(Tone.BAD, text + " " + busy(sample).sentence(), Part.RESERVES, Part.WORKERS)
                : new Condition(Tone.BAD, text, Part.RESERVES, Part.ARRIVING);
    }

    private static boolean isOver(Sample sample, Gauge level, Gauge limit) {
        return sample.level(limit) > 0 && sample.level(level) >= NEARLY_FULL * sample.level(limit);
    }

    private static boolean allWorkersAreBusy(Sample sample) {
        return sample.level(Gauge.WORKERS_BUSY) >= sample.level(Gauge.WORKERS);
    }

    /** Whether clients notice the load: busy workers and a queue that empties again are normal. */
    private static boolean isFelt(Sample sample) {
        return sample.refused() >= 1
                || sample.level(Gauge.QUEUE_OLDEST) >= NOTICED_MILLIS
                || sample.workers().stream().allMatch(worker -> worker.nanos() >= NOTICED_MILLIS * NANOS_OF_MILLI);
    }

    private static Condition busy(Sample sample) {
        boolean refuses = sample.refused() >= 1;
        String text = cause(sample)
                + (sample.level(Gauge.QUEUED) == 0 ? "; no request waits for a worker" : "; " + waits(sample))
                + (refuses ? ", and " + count(sample.refused()) + " a second are turned away" : "")
                + "."
                + (" " + failures(sample)).stripTrailing();
        return new Condition(refuses ? Tone.BAD : Tone.BUSY, text, Part.WORKERS);
    }

    /** {@code The application is slow: all 8 workers are in /shop, at OrderDao.load, for up to 12 s}. */
    private static String cause(Sample sample) {
        long waiting = sample.workers().stream()
                .filter(worker -> worker.doing().isWaiting())
                .count();
        int all = sample.workers().size();
        if (waiting > 0 && waiting * 2 >= all) {
            return "Clients hold the workers: " + count(waiting) + " of " + count(all, "worker")
                    + (waiting == 1 ? " waits for its client" : " wait for their clients");
        }
        long longest =
                sample.workers().stream().mapToLong(Watched.Worker::nanos).max().orElse(0);
        CommonPlace place = CommonPlace.of(sample.workers(), sample.applications());
        return longest >= NOTICED_MILLIS * NANOS_OF_MILLI
                ? "The application is slow: " + place.words(all) + ", for up to " + time(longest)
                : "More requests come than the workers can serve: " + place.words(all);
    }

    /** {@code 80 requests wait, the oldest for 380 ms}. */
    private static String waits(Sample sample) {
        long queued = sample.level(Gauge.QUEUED);
        long millis = sample.level(Gauge.QUEUE_OLDEST);
        return count(queued, "request")
                + (queued == 1 ? " waits, for " : " wait, the oldest for ")
                + (millis == 0 ? "less than 1 ms" : time(millis * NANOS_OF_MILLI));
    }

    private static Condition atEase(Sample sample) {
        long clients = sample.level(Gauge.CONNECTIONS);
        long slow = sample.slow();
        String certificates = certificates(sample);
        String first = failures(sample) + refusals(sample) + certificates;
        Set<Part> at = EnumSet.noneOf(Part.class);
        if (sample.failed() >= 1) {
            at.add(Part.FAILURES);
        }
        if (sample.refused() >= 1) {
            at.add(Part.REFUSALS);
        }
        if (!certificates.isEmpty()) {
            at.add(Part.CERTIFICATES);
        }
        if (slow >= MANY && slow * 4 >= clients - resting(sample)) {
            String others = sample.pace().requests() < 1
                    ? ""
                    : " " + count(sample.pace().requests(), "request") + " a second are answered meanwhile.";
            Tone tone = tone(sample, at, Tone.SLOW);
            at.addAll(slowAt(sample));
            return new Condition(tone, first + slow(sample) + "." + others, at);
        }
        if (sample.pace().requests() >= 1) {
            Percentiles total = sample.pace().total();
            return new Condition(
                    tone(sample, at, Tone.CALM),
                    first + count(sample.pace().requests(), "request") + " a second"
                            + (total.count() == 0
                                    ? ""
                                    : ": p50 " + time(total.half()) + ", p99 " + time(total.ninetyNine()) + ", max "
                                            + time(total.longest()))
                            + (sample.level(Gauge.QUEUED) == 0 ? "; nothing waits." : "; " + waits(sample) + "."),
                    at);
        }
        return new Condition(tone(sample, at, Tone.CALM), first + quiet(sample, clients), at);
    }

    /** {@code The application /shop fails: 4 of 100 requests a second are answered with 500. }; empty if none does. */
    private static String failures(Sample sample) {
        if (sample.failed() < 1) {
            return "";
        }
        List<Integer> statuses = sample.incidents().stream()
                .filter(incident -> incident.isOfApplication()
                        && incident.last().plus(RECENTLY).isAfter(sample.at()))
                .map(Incident::status)
                .distinct()
                .toList();
        return failing(sample) + count(sample.failed()) + " of "
                + count(Math.max(sample.failed(), sample.pace().requests()), "request")
                + " a second are answered with "
                + (statuses.size() == 1 ? statuses.get(0) : "500 or above") + ". ";
    }

    /** Names the application that fails most. */
    private static String failing(Sample sample) {
        List<String> paths = sample.failing().entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .map(Map.Entry::getKey)
                .toList();
        String first = Views.cut(paths.get(0));
        return switch (paths.size()) {
            case 1 -> "The application " + first + " fails: ";
            case 2 -> "The applications " + first + " and " + Views.cut(paths.get(1)) + " fail: ";
            default -> "The application " + first + " and " + count(paths.size() - 1L) + " others fail: ";
        };
    }

    /** {@code 57 requests a second are refused: the queue was full (100). }; empty if none is. */
    private static String refusals(Sample sample) {
        if (sample.refused() < 1) {
            return "";
        }
        String why = sample.incidents().stream()
                .filter(incident -> !incident.isOfApplication() && incident.status() != 0)
                .findFirst()
                .map(incident -> ": " + incident.words())
                .orElse("");
        return count(sample.refused(), "request")
                + (Figures.isOne(count(sample.refused())) ? " a second is refused" : " a second are refused") + why
                + ". ";
    }

    /**
     * The tone, or a more serious one because of refusals, failures or certificates. An application that fails half of its requests is serious.
     *
     * @param troubles the parts of the board that show these
     */
    private static Tone tone(Sample sample, Set<Part> troubles, Tone otherwise) {
        if (mostFail(sample) || isExpired(sample)) {
            return Tone.BAD;
        }
        return troubles.isEmpty() ? otherwise : Tone.ATTENTION;
    }

    private static boolean mostFail(Sample sample) {
        return sample.failed() >= 1 && sample.failed() * 2 >= sample.pace().requests();
    }

    private static boolean isExpired(Sample sample) {
        return sample.level(Gauge.CERTIFICATE_EXPIRY_TIMESTAMP) != 0 && daysLeft(sample) < 0;
    }

    /** Of the certificate that expires first. */
    private static long daysLeft(Sample sample) {
        return daysLeft(Instant.ofEpochMilli(sample.level(Gauge.CERTIFICATE_EXPIRY_TIMESTAMP)), sample.at());
    }

    /** Whole days; negative if the certificate has expired. */
    static long daysLeft(Instant expires, Instant now) {
        return Math.floorDiv(Saturated.millis(expires) - Saturated.millis(now), DAY_MILLIS);
    }

    /** What an operator has to do about certificates; empty if nothing. */
    private static String certificates(Sample sample) {
        if (sample.level(Gauge.CERTIFICATES_OUTDATED) > 0) {
            return "The files of certificates have changed and cannot be used. ";
        }
        if (sample.level(Gauge.CERTIFICATE_PENDING) > 0) {
            return "The authority has not signed a certificate yet. ";
        }
        long left = daysLeft(sample);
        if (sample.level(Gauge.CERTIFICATE_EXPIRY_TIMESTAMP) == 0 || left >= SOON_DAYS) {
            return "";
        }
        String which = sample.certificates().stream()
                .min(Comparator.comparing(Watched.Certificate::expires))
                .map(first -> "The certificate of " + Views.cut(first.names()))
                .orElse("A certificate");
        return which + (left < 0 ? " has expired. " : " expires in " + count(left, "day") + ". ");
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
                        ? "Quiet: " + connected + ", and hardly anything is asked for."
                        : connected + "; " + count(busy, "request") + (busy == 1 ? " is" : " are") + " with a worker.";
            case NONE -> connected + ". How much they ask for is not known: requests are not measured.";
        };
    }

    /** Clients that the server does not wait for. */
    private static long resting(Sample sample) {
        return sample.level(Gauge.CONNECTIONS_IDLE) + sample.level(Gauge.CONNECTIONS_UPGRADED);
    }

    private static Set<Part> slowAt(Sample sample) {
        Set<Part> at = EnumSet.noneOf(Part.class);
        if (sample.sending() > 0) {
            at.add(Part.ARRIVING);
        }
        if (sample.level(Gauge.CONNECTIONS_DRAINING) > 0) {
            at.add(Part.DRAINING);
        }
        return at;
    }

    /** {@code 4,000 clients send slowly, 12 take their answers slowly; no worker waits for them}. */
    private static String slow(Sample sample) {
        long sending = sample.sending();
        long taking = sample.level(Gauge.CONNECTIONS_DRAINING);
        StringBuilder text = new StringBuilder();
        if (sending > 0) {
            text.append(count(sending, "client")).append(sending == 1 ? " sends slowly" : " send slowly");
        }
        if (taking > 0) {
            text.append(sending > 0 ? ", " : "")
                    .append(sending > 0 ? count(taking) : count(taking, "client"))
                    .append(taking == 1 ? " takes its answer slowly" : " take their answers slowly");
        }
        long waiting = sample.level(Gauge.WORKERS_WAITING);
        return text.append(
                        waiting == 0
                                ? "; no worker waits for them"
                                : "; " + count(waiting, "worker") + (waiting == 1 ? " waits" : " wait") + " for them")
                .toString();
    }
}
