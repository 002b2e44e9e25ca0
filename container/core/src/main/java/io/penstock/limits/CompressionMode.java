package io.penstock.limits;

/** What an application sends compressed. */
public enum CompressionMode {
    /** Nothing. */
    OFF,
    /** Files that have a compressed sibling. */
    PRECOMPRESSED,
    /** Files that have a compressed sibling; and the server compresses other responses. */
    ON
}
