package io.penstock.loadtest.compare.scenarios;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Finds the moment at which a server has recovered from an overload. After the overload, requests are sent at a constant rate. The server
 * has recovered when {@code inARow} successive requests are answered within twice the normal latency. The moment of recovery is the end of
 * the first of these requests.
 *
 * @param normalNanos the median latency before the overload, in nanoseconds
 * @param inARow the number of successive requests; it must be large enough to exclude chance
 */
record Recovery(long normalNanos, int inARow) {
    private static final int FACTOR = 2;

    Recovery {
        if (inARow < 1) {
            throw new IllegalArgumentException("inARow must be at least 1, not " + inARow);
        }
    }

    /**
     * The time from the end of the overload to the recovery, in milliseconds.
     *
     * @param answers the results of the requests after the overload; the first of these requests was due when the overload ended
     * @return the time, or empty if the server has not recovered
     */
    OptionalLong millis(List<Answer> answers) {
        List<Answer> inOrder = answers.stream()
                .sorted(Comparator.comparingLong(Answer::dueNanos))
                .toList();
        int row = 0;
        for (int i = 0; i < inOrder.size(); i++) {
            row = isNormal(inOrder.get(i)) ? row + 1 : 0;
            if (row == inARow) {
                long first = inOrder.get(i - inARow + 1).endNanos();
                return OptionalLong.of(TimeUnit.NANOSECONDS.toMillis(first));
            }
        }
        return OptionalLong.empty();
    }

    private boolean isNormal(Answer answer) {
        return answer.isGood() && answer.latencyNanos() <= FACTOR * normalNanos;
    }
}
