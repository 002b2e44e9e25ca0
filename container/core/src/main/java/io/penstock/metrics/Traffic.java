package io.penstock.metrics;

/**
 * Totals since the server's start.
 *
 * @param opened the number of connections that clients have opened
 * @param served the number of requests that a worker served and that have ended
 * @param requestBodies the bytes of request bodies that arrived
 * @param requestOnDisk the bytes of request bodies that were written to disk
 * @param responseOnDisk the bytes of responses that were written to disk
 */
public record Traffic(long opened, long served, long requestBodies, long requestOnDisk, long responseOnDisk) {}
