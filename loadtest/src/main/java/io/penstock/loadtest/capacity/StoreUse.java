package io.penstock.loadtest.capacity;

/**
 * The costs of sessions in the store: memory, and traffic between a node and the store.
 *
 * @param sessionOverhead the size of a session in the store without its attributes, in bytes
 * @param callBytes the size of a round trip without attributes, in bytes
 * @param sticky whether all requests of a session go to the same node; if so, a read does not transfer the attributes
 */
record StoreUse(double sessionOverhead, double callBytes, boolean sticky) {}
