package io.penstock.request;

/**
 * A session id in the form that clients have. It may end with a dot and the name of a node, {@code ID.node1}, by which a load balancer
 * finds the node of the session. Ids themselves have no dot. Every node accepts the names of all other nodes, since a session may have come
 * from another node.
 */
final class RoutedId {
    private static final char DOT = '.';

    private RoutedId() {}

    /** @param route name of the node; empty for none */
    static String of(String id, String route) {
        return route.isEmpty() ? id : id + DOT + route;
    }

    /** The session id in the text that a client has sent. */
    static String id(String sent) {
        int dot = sent.indexOf(DOT);
        return dot < 0 ? sent : sent.substring(0, dot);
    }

    /** The name of the node in the text that a client has sent; empty if there is none. */
    static String route(String sent) {
        int dot = sent.indexOf(DOT);
        return dot < 0 ? "" : sent.substring(dot + 1);
    }
}
