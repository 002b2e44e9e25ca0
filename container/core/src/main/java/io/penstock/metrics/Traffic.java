package io.penstock.metrics;

/**
 * How much has passed since the start.
 *
 * @param opened connections
 * @param served requests that have ended and that a worker had
 * @param requestBodies bytes of request bodies
 * @param requestOnDisk bytes of request bodies that were written to disk
 * @param responseOnDisk bytes of responses that were written to disk
 */
public record Traffic(long opened, long served, long requestBodies, long requestOnDisk, long responseOnDisk) {}
