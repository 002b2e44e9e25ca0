package io.penstock.loadtest.compare.users;

import java.time.Duration;
import java.util.List;

/**
 * The plan of the comparison of users.
 *
 * @param users the numbers of users to measure
 * @param asked the contents that the users request, one after the other over the same connections
 * @param rampUp the time within which all users start
 * @param duration the measured time of each run and content
 * @param warmUp the warm-up time for each content after each start of a server, with {@value #WARM_UP_USERS} users
 * @param rounds the number of runs of each server with each number of users
 */
record UsersPlan(
        List<Integer> users, List<Asked> asked, Duration rampUp, Duration duration, Duration warmUp, int rounds) {
    static final int WARM_UP_USERS = 64;
    private static final int CHANGES_PER_DURATION = 16;
    private static final int MOST_USERS = 100_000;
    /**
     * The approximate time for the start and end of a JVM. {@link #END_OF_RUN} is the approximate time for a garbage collection and the end
     * of the connections after a run.
     */
    private static final Duration START = Duration.ofMillis(1500);

    private static final Duration END_OF_RUN = Duration.ofMillis(700);

    /** @throws IllegalArgumentException if a value is wrong; the message is one line that names the option */
    UsersPlan {
        users = List.copyOf(users);
        asked = List.copyOf(asked);
        if (users.isEmpty() || users.stream().anyMatch(count -> count < 1 || count > MOST_USERS)) {
            throw new IllegalArgumentException("--users must be numbers from 1 to " + MOST_USERS + ", not " + users);
        }
        if (asked.isEmpty()) {
            throw new IllegalArgumentException("--content must be text, servlet, or both");
        }
        positive(rampUp, "--ramp-up");
        positive(duration, "--duration");
        positive(warmUp, "--warm-up");
    }

    private static void positive(Duration time, String option) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException(option + " must be more than 0");
        }
    }

    /**
     * The time between a change of the content and the beginning of the counting. In this time, the last responses with the previous
     * content arrive. After the last content, the same time passes before the heap is measured.
     */
    Duration change() {
        return duration.dividedBy(CHANGES_PER_DURATION);
    }

    int mostUsers() {
        return users.stream().mapToInt(Integer::intValue).max().orElseThrow();
    }

    int runs(int servers) {
        return users.size() * servers * rounds;
    }

    /** The approximate time of the whole comparison with the given number of servers. */
    Duration estimate(int servers) {
        Duration run =
                rampUp.plus(duration.plus(change()).multipliedBy(asked.size())).plus(END_OF_RUN);
        Duration starts = START.plus(warmUp.multipliedBy(asked.size())).multipliedBy((long) users.size() * servers);
        return starts.plus(run.multipliedBy(runs(servers)));
    }
}
