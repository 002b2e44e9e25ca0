package io.penstock.request;

/**
 * A session id in the form that clients receive and send. The id may be followed by a dot and the name of a node, as in {@code ID.node1}. A
 * load balancer uses this name to find the node that has the session. The id itself has no dot. Every node accepts ids with the names of
 * other nodes, since the session may have been created at another node.
 */
final class RoutedId {
    private static final char DOT = '.';

    private RoutedId() {}

    /** @param route the name of the node; empty if the id gets no name */
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
