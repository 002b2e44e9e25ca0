package io.penstock.metrics;

/**
 * Totals since the start.
 *
 * @param opened connections
 * @param served requests that have ended and were served by a worker
 * @param requestBodies bytes of request bodies
 * @param requestOnDisk bytes of request bodies that were written to disk
 * @param responseOnDisk bytes of responses that were written to disk
 */
public record Traffic(long opened, long served, long requestBodies, long requestOnDisk, long responseOnDisk) {}
