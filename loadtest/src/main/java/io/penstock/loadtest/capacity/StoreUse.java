package io.penstock.loadtest.capacity;

/**
 * The costs of a session in the store and in the traffic with it.
 *
 * @param sessionOverhead bytes that a session takes in the store beside its attributes
 * @param callBytes of a round trip beside attributes
 * @param sticky whether all requests of a session go to the same node. Then a read does not transfer the attributes
 */
record StoreUse(double sessionOverhead, double callBytes, boolean sticky) {}
