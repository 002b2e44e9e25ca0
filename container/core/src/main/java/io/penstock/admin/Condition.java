package io.penstock.admin;

import static io.penstock.admin.Figures.count;
import static io.penstock.admin.Figures.time;

import io.penstock.limits.Gauge;
import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The present condition of a server in a sentence or two: first the worst problem, then its visible cause.
 *
 * @param tone how serious it is
 * @param at the part of the board that shows it
 */
record Condition(Tone tone, String sentence, Set<Station> at) {
    /** Fewer slow clients are not mentioned. */
    private static final long MANY = 10;

    /** Shorter waits are not noticeable. */
    private static final long NOTICED_MILLIS = 50;

    /** A certificate that is valid for longer is not mentioned. */
    private static final long SOON_DAYS = 14;

    private static final long DAY_MILLIS = Saturated.millis(Duration.ofDays(1));

    private static final double NEARLY_FULL = 0.9;
    private static final long NANOS_OF_MILLI = 1_000_000;

    /** How serious the condition is. */
    enum Tone {
        /** Nothing to do. */
        CALM("Calm"),
        /** Nothing to do, but visible: clients are slow, at no cost. */
        SLOW("Slow clients"),
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

    /** The parts of the server that a request passes. */
    enum Station {
        CLIENTS,
        ARRIVING,
        QUEUE,
        WORKERS,
        DRAINING
    }

    private Condition(Tone tone, String sentence, Station... at) {
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
                    Station.CLIENTS);
        }
        if (sample.level(Gauge.BODIES_STARVING) > 0) {
            return new Condition(
                    Tone.BAD,
                    "Memory for bodies is used up: "
                            + count(sample.level(Gauge.BODIES_STARVING), "client")
                            + " cannot be read until there is some.",
                    Station.ARRIVING);
        }
        if (isOver(sample, Gauge.SPOOL_BYTES, Gauge.SPOOL_LIMIT)) {
            return new Condition(
                    Tone.BAD, "The disk's share is nearly used up: bodies on disk hold 90 % or more of their limit.");
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
                    "As many workers stream as may ("
                            + count(sample.level(Gauge.WORKERS_STREAMING)) + "): "
                            + waits(sample) + ". Others are served.",
                    Station.WORKERS);
        }
        if (sample.level(Gauge.QUEUED) > 0 && sample.level(Gauge.WORKERS_SPOOLING) > 0) {
            return new Condition(
                    Tone.BUSY,
                    "As many workers wait for the disk as may ("
                            + count(sample.level(Gauge.WORKERS_SPOOLING)) + "): "
                            + waits(sample) + ". Others are served.",
                    Station.WORKERS);
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
        return new Condition(tone(sample, Tone.BUSY), text, Station.WORKERS);
    }

    private static Condition notReady(Sample sample) {
        if (sample.health() == Watched.Health.STARTING) {
            return new Condition(Tone.BUSY, "The server is starting. It does not want requests yet.");
        }
        long left = sample.level(Gauge.CONNECTIONS);
        return new Condition(
                Tone.BUSY,
                "The server is ending. "
                        + (left == 0
                                ? "Nobody is connected any more."
                                : count(left, "client") + (left == 1 ? " is" : " are") + " still connected."));
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
        long workers = sample.level(Gauge.WORKERS);
        String all = workers == 1 ? "The one worker is busy" : "Workers are all busy";
        boolean refuses = sample.refused() >= 1;
        String text =
                sample.level(Gauge.QUEUED) == 0 ? all + ", and nothing waits for them" : all + ": " + waits(sample);
        if (refuses) {
            text += ", and " + count(sample.refused()) + " a second are turned away";
        }
        return new Condition(refuses ? Tone.BAD : Tone.BUSY, text + "." + why(sample), Station.WORKERS);
    }

    /** {@code 80 requests wait, the oldest for 380 ms}. */
    private static String waits(Sample sample) {
        long queued = sample.level(Gauge.QUEUED);
        return count(queued, "request")
                + (queued == 1 ? " waits, for " : " wait, the oldest for ")
                + time(sample.level(Gauge.QUEUE_OLDEST) * NANOS_OF_MILLI);
    }

    /** The common place of most workers, if there is one. */
    private static String why(Sample sample) {
        long waiting = sample.workers().stream()
                .filter(worker -> worker.doing().isWaiting())
                .count();
        if (waiting > 0 && waiting * 2 >= sample.workers().size()) {
            return " " + count(waiting)
                    + (waiting == 1 ? " waits for its client." : " of the workers wait for their clients.");
        }
        Map<String, Integer> places = new LinkedHashMap<>();
        for (Watched.Worker worker : sample.workers()) {
            String place = Places.of(worker.stack());
            if (!place.isEmpty()) {
                places.merge(place, 1, Integer::sum);
            }
        }
        return places.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .filter(most -> most.getValue() * 2 >= sample.workers().size())
                .map(most -> " " + several(most.getValue(), sample.workers().size()) + " in " + most.getKey() + ".")
                .orElse("");
    }

    private static String several(int workers, int all) {
        if (workers == all) {
            return all == 1 ? "It is" : "All workers are";
        }
        return workers + (workers == 1 ? " is" : " of the workers are");
    }

    private static Condition atEase(Sample sample) {
        long clients = sample.level(Gauge.CONNECTIONS);
        long slow = sample.slow();
        String also = (sample.refused() >= 1 ? " " + count(sample.refused()) + " a second are refused." : "")
                + (sample.failed() >= 1 ? " " + count(sample.failed()) + " a second fail in the application." : "")
                + certificates(sample);
        if (slow >= MANY && slow * 4 >= clients - resting(sample)) {
            String others = sample.pace().requests() < 1
                    ? ""
                    : " " + count(sample.pace().requests(), "request") + " a second are answered meanwhile.";
            return new Condition(tone(sample, Tone.SLOW), slow(sample) + "." + others + also, slowAt(sample));
        }
        if (sample.pace().requests() >= 1) {
            Percentiles total = sample.pace().total();
            return new Condition(
                    tone(sample, Tone.CALM),
                    count(sample.pace().requests(), "request") + " a second"
                            + (total.count() == 0
                                    ? ""
                                    : ", half of them within " + time(total.half()) + ", 99 of 100 within "
                                            + time(total.ninetyNine()))
                            + (sample.level(Gauge.QUEUED) == 0 ? "; nothing waits." : "; " + waits(sample) + ".")
                            + also,
                    failedAt(sample));
        }
        return new Condition(tone(sample, Tone.CALM), quiet(sample, clients) + also, failedAt(sample));
    }

    /** How serious refusals and failures are; applications that fail half of their requests count as serious. */
    private static Tone tone(Sample sample, Tone otherwise) {
        if (sample.failed() < 1) {
            return sample.refused() < 1 && certificates(sample).isEmpty() ? otherwise : Tone.BUSY;
        }
        return sample.failed() * 2 >= sample.pace().requests() ? Tone.BAD : Tone.BUSY;
    }

    /** What an operator has to do about certificates; empty if nothing. */
    private static String certificates(Sample sample) {
        long expires = sample.level(Gauge.CERTIFICATE_EXPIRY_TIMESTAMP);
        long left = Math.floorDiv(expires - Saturated.millis(sample.at()), DAY_MILLIS);
        if (sample.level(Gauge.CERTIFICATES_OUTDATED) > 0) {
            return " The files of certificates have changed and cannot be used.";
        }
        if (sample.level(Gauge.CERTIFICATE_PENDING) > 0) {
            return " The authority has not signed a certificate yet.";
        }
        if (expires == 0 || left >= SOON_DAYS) {
            return "";
        }
        return left < 0 ? " A certificate has expired." : " A certificate expires in " + count(left, "day") + ".";
    }

    private static Set<Station> failedAt(Sample sample) {
        return sample.failed() < 1 ? Set.of() : Set.of(Station.WORKERS);
    }

    private static String quiet(Sample sample, long clients) {
        if (clients == 0) {
            return "Quiet: nobody is connected.";
        }
        String connected = count(clients, "client") + (clients == 1 ? " is" : " are") + " connected";
        return switch (sample.pace().source()) {
            case REQUESTS -> "Quiet: " + connected + ", and hardly anything is asked for.";
            case NONE -> connected + ". How much they ask for is not known: requests are not measured.";
        };
    }

    /** Clients that the server does not wait for. */
    private static long resting(Sample sample) {
        return sample.level(Gauge.CONNECTIONS_IDLE) + sample.level(Gauge.CONNECTIONS_UPGRADED);
    }

    private static Set<Station> slowAt(Sample sample) {
        Set<Station> at = EnumSet.noneOf(Station.class);
        at.addAll(failedAt(sample));
        if (sample.sending() > 0) {
            at.add(Station.ARRIVING);
        }
        if (sample.level(Gauge.CONNECTIONS_DRAINING) > 0) {
            at.add(Station.DRAINING);
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
