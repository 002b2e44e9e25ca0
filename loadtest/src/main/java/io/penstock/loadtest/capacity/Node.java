package io.penstock.loadtest.capacity;

/**
 * The resources of one node, and the costs of requests, connections and sessions on it.
 *
 * @param processors the number of processors that the node may use
 * @param requestSeconds the processor time of a request with its session, in seconds; it includes the server and the application
 * @param mostConnections the maximum number of connections (the setting {@code max-connections})
 * @param heap the size of the heap, in bytes
 * @param baseHeap the heap use of an idle node with its application, in bytes
 * @param connectionHeap the heap use of an open connection, in bytes
 * @param sessionsInMemory the number of sessions that the node keeps in memory (the setting {@code sessions-in-memory})
 * @param sessionHeap the heap use of each session in memory, in bytes
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

    /** The bytes of the heap that remain for connections if only the share {@code fill} of the heap is used. */
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
