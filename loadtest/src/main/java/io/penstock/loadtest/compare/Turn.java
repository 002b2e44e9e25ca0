package io.penstock.loadtest.compare;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The results of one turn. A turn is one measurement of one server with one {@link Work} in one round.
 *
 * @param server the name of the server on the command line
 * @param work the name of the work
 * @param round the number of the round, counted from 1
 * @param client the program that has sent the requests; empty if it is always the load test itself
 * @param note errors and other remarks; empty if there are none
 * @param othersUsed the share of this machine's processors that other programs used during the turn, from 0 to 1; NaN if it is not known
 */
record Turn(
        String server,
        String work,
        int round,
        Map<Figure, Double> figures,
        String client,
        String note,
        double othersUsed) {
    Turn {
        Map<Figure, Double> inOrder = new EnumMap<>(Figure.class);
        inOrder.putAll(figures);
        figures = Collections.unmodifiableMap(inOrder);
    }
}
