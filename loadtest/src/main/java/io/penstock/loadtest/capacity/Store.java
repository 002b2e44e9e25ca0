package io.penstock.loadtest.capacity;

/**
 * The limits of one store: one process of Redis, or one server of PostgreSQL.
 *
 * @param operations round trips in a second
 * @param traffic bytes in a second
 * @param memory bytes for sessions
 */
record Store(double operations, double traffic, double memory) {}
