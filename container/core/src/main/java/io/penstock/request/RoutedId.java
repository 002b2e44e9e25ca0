package io.penstock.request;

/**
 * A session id as a client has it: perhaps with a dot and the name of a node behind it, {@code ID.node1}, by which a balancer finds the node
 * of the session. Ids themselves have no dot. Every node accepts the names of all others, since the session may have come from there.
 */
final class RoutedId {
    private static final char DOT = '.';

    private RoutedId() {}

    /** @param route name of the node; empty for none */
    static String of(String id, String route) {
        return route.isEmpty() ? id : id + DOT + route;
    }

    /** The session id of what a client has sent. */
    static String id(String sent) {
        int dot = sent.indexOf(DOT);
        return dot < 0 ? sent : sent.substring(0, dot);
    }

    /** The name of the node in what a client has sent; empty without one. */
    static String route(String sent) {
        int dot = sent.indexOf(DOT);
        return dot < 0 ? "" : sent.substring(dot + 1);
    }
}
