package io.penstock.loadtest.capacity;

/**
 * The limits of one store: one process of Redis, or one server of PostgreSQL.
 *
 * @param operations the maximum number of round trips per second
 * @param traffic the maximum number of bytes per second
 * @param memory the memory for sessions, in bytes
 */
record Store(double operations, double traffic, double memory) {}
