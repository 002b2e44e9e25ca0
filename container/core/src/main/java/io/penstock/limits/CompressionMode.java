package io.penstock.limits;

/** What an application sends compressed. */
public enum CompressionMode {
    /** Nothing. */
    OFF,
    /** Files that have a compressed sibling. */
    PRECOMPRESSED,
    /** The same, and other responses are compressed by the server. */
    ON
}
