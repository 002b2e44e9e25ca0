package io.penstock.limits;

/** What an application sends compressed. */
public enum CompressionMode {
    /** Nothing. */
    OFF,
    /** Files that have a compressed sibling. */
    PRECOMPRESSED
}
