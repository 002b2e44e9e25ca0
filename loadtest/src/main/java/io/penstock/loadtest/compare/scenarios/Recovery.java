package io.penstock.loadtest.compare.scenarios;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Finds the moment at which a server is as fast as before. Requests come at a constant rate. The server has recovered when
 * {@code inARow} requests in a row are answered within twice the normal latency. The moment of recovery is the end of the
 * first of these requests.
 *
 * @param normalNanos the median latency before the overload, in nanoseconds
 * @param inARow number of requests that is needed to exclude chance
 */
record Recovery(long normalNanos, int inARow) {
    private static final int FACTOR = 2;

    Recovery {
        if (inARow < 1) {
            throw new IllegalArgumentException("At least one answer must be looked at, not " + inARow);
        }
    }

    /**
     * Milliseconds from the end of the overload.
     *
     * @param answers to requests, the first of which was due when the overload ended
     * @return empty if the answers show no recovery
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
