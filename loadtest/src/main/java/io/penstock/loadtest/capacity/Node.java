package io.penstock.loadtest.capacity;

/**
 * The resources of one node, and its costs.
 *
 * @param processors that the node may use
 * @param requestSeconds of processor time for a request with its session, by the server and the application
 * @param mostConnections that the node accepts, {@code max-connections}
 * @param heap in bytes
 * @param baseHeap that an idle node with its application uses, in bytes
 * @param connectionHeap of an open connection, in bytes
 * @param sessionsInMemory that the node keeps between requests, {@code sessions-in-memory}
 * @param sessionHeap of each of these, in bytes
 */
record Node(
        int processors,
        double requestSeconds,
        double mostConnections,
        double heap,
        double baseHeap,
        double connectionHeap,
        double sessionsInMemory,
        double sessionHeap) {

    /** The bytes of the heap that remain for connections if only this share of the heap is used. */
    double heapForConnections(double fill) {
        double left = fill * heap - baseHeap - sessionsInMemory * sessionHeap;
        if (left <= 0) {
            throw new IllegalArgumentException(
                    "the heap of a node has no room for connections beside its sessions; it needs more than "
                            + (long) Math.ceil((baseHeap + sessionsInMemory * sessionHeap) / fill) + " bytes");
        }
        return left;
    }
}
