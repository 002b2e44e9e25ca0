package io.penstock.admin;

import static io.penstock.admin.Figures.count;

import io.penstock.admin.Condition.Part;
import io.penstock.admin.Condition.Tone;
import io.penstock.admin.RecentLosses.Loss;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Describes recent failures of applications and recent refusals of the server in sentences. A sentence disappears ten seconds after the
 * last failure or refusal.
 */
final class LossSentences {
    /**
     * A number of requests per second. From this rate on, a sentence uses the present tense. At lower rates, the sentence uses the past
     * tense.
     */
    private static final double NOW = 1;

    /** The most applications or reasons that a sentence lists. */
    private static final int LISTED = 3;

    private LossSentences() {}

    // ---- failures

    /**
     * A sentence such as {@code The application /shop fails: 4 % of all requests get 500.} The result is empty without failures in the last
     * ten seconds.
     */
    static Optional<Condition> failures(Sample sample) {
        List<Loss> failures = sample.lost().failures();
        if (failures.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Long> applications = RecentLosses.counts(failures, Loss::application);
        Map<String, Long> statuses = RecentLosses.counts(failures, loss -> Integer.toString(loss.status()));
        String status = statuses.size() == 1 ? statuses.keySet().iterator().next() : "500 or above";
        String who = who(List.copyOf(applications.keySet()));
        String requests = count(RecentLosses.count(failures), "request");
        List<String> details = new ArrayList<>();
        String sentence;
        if (sample.failed() >= NOW) {
            String fails = applications.size() == 1 ? " fails: " : " fail: ";
            sentence = who + fails + share(sample) + status + ".";
            details.add(requests + " failed " + sample.lost().words() + ".");
        } else {
            sentence = who + " failed " + requests + " " + sample.lost().words() + ".";
            details.add(last("failure", failures, sample.at()) + ", with status " + status + ".");
        }
        if (applications.size() > 1) {
            details.add("By application: " + list(applications) + ".");
        }
        Tone tone = mostFail(sample) ? Tone.BAD : Tone.ATTENTION;
        return Optional.of(new Condition(tone, sentence, details, Set.of(Part.FAILURES)));
    }

    /** Whether at least half of all requests fail. */
    private static boolean mostFail(Sample sample) {
        return sample.failed() >= NOW && sample.failed() * 2 >= sample.pace().requests();
    }

    /** A phrase with the names of the failing applications. The application with the most failures is first. */
    private static String who(List<String> paths) {
        String first = Views.cut(paths.get(0));
        return switch (paths.size()) {
            case 1 -> "The application " + first;
            case 2 -> "The applications " + first + " and " + Views.cut(paths.get(1));
            default -> "The application " + first + " and " + count(paths.size() - 1L) + " others";
        };
    }

    /** A phrase such as {@code 4 % of all requests get }. */
    private static String share(Sample sample) {
        double all = Math.max(sample.failed(), sample.pace().requests());
        long percent = Math.round(100 * sample.failed() / all);
        if (percent == 100) {
            return sample.failed() >= all ? "all requests get " : "nearly all requests get ";
        }
        return (percent == 0 ? "less than 1" : count(percent)) + " % of all requests get ";
    }

    // ---- refusals

    /**
     * A sentence such as {@code The server refuses 57 requests a second: the queue was full (100).} The result is empty without refusals in
     * the last ten seconds.
     */
    static Optional<Condition> refusals(Sample sample) {
        List<Loss> refusals = sample.lost().notableRefusals();
        if (refusals.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Long> reasons = RecentLosses.counts(refusals, Loss::words);
        String why = ": " + reasons.keySet().iterator().next() + ".";
        List<String> details = new ArrayList<>(List.of(refusedUntilNow(sample, refusals)));
        String sentence;
        if (sample.refused() >= NOW) {
            sentence = "The server refuses " + refusedNow(sample) + why;
        } else {
            sentence = "The server refused " + refused(sample, refusals) + why;
            details.set(0, last("refusal", refusals, sample.at()) + ".");
        }
        if (reasons.size() > 1) {
            details.add("By reason: " + list(reasons) + ".");
        }
        return Optional.of(new Condition(Tone.ATTENTION, sentence, details, Set.of(Part.REFUSALS)));
    }

    /** A sentence about refusals that another problem has caused; empty without refusals in the last ten seconds. */
    static List<String> refusalsThatFollow(Sample sample) {
        List<Loss> refusals = sample.lost().notableRefusals();
        if (sample.refused() >= NOW) {
            return List.of(refusedNow(sample) + verb(count(sample.refused()), " is", " are") + " refused.");
        }
        return refusals.isEmpty() ? List.of() : List.of(refusedUntilNow(sample, refusals));
    }

    private static String refusedNow(Sample sample) {
        return count(sample.refused(), "request") + " a second";
    }

    private static String refusedUntilNow(Sample sample, List<Loss> refusals) {
        long all = RecentLosses.count(refusals);
        return count(all, "request") + verb(count(all), " was", " were") + " refused "
                + sample.lost().words() + ".";
    }

    private static String refused(Sample sample, List<Loss> refusals) {
        return count(RecentLosses.count(refusals), "request") + " "
                + sample.lost().words();
    }

    private static String verb(String count, String ofOne, String ofMore) {
        return Figures.isOne(count) ? ofOne : ofMore;
    }

    // ---- failures and refusals

    /** A clause such as {@code The last failure was 2 s ago}. */
    private static String last(String what, List<Loss> losses, Instant now) {
        long ago = RecentLosses.secondsAgo(losses, now);
        return "The last " + what + " was " + (ago == 0 ? "less than 1 s ago" : count(ago) + " s ago");
    }

    /** A list such as {@code /shop (12), /bad (3)}. */
    private static String list(Map<String, Long> counts) {
        List<String> listed = new ArrayList<>();
        counts.forEach((what, times) -> {
            if (listed.size() < LISTED) {
                listed.add(Views.cut(what) + " (" + count(times) + ")");
            }
        });
        return String.join(", ", listed) + (counts.size() > LISTED ? ", and others" : "");
    }
}
