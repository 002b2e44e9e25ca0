package io.penstock.loadtest.capacity;

/**
 * What a session costs in the store and on the way to it.
 *
 * @param sessionOverhead bytes that a session takes in the store beside its attributes
 * @param callBytes of a round trip beside attributes
 * @param sticky whether the requests of a session go to one node, so that a read need not bring the attributes
 */
record StoreUse(double sessionOverhead, double callBytes, boolean sticky) {}
