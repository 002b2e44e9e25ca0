package io.penstock.loadtest.compare.rows;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The results of one server with one work in one round.
 *
 * @param server its name on the command line
 * @param work the name of the work
 * @param round counted from 1
 * @param firstTrouble the first error; empty if there was none
 * @param othersUsed the part of this machine that other programs used meanwhile, from 0 to 1; NaN if it is not known
 */
record Turn(
        String server, String work, int round, Map<Figure, Double> figures, String firstTrouble, double othersUsed) {
    Turn {
        Map<Figure, Double> inOrder = new EnumMap<>(Figure.class);
        inOrder.putAll(figures);
        figures = Collections.unmodifiableMap(inOrder);
    }
}
