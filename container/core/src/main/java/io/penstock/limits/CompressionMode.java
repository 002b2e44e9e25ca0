package io.penstock.limits;

/** Which responses of an application are compressed. */
public enum CompressionMode {
    /** No responses. */
    OFF,
    /** Only files with a compressed copy beside them, such as {@code app.js.gz} beside {@code app.js}. */
    PRECOMPRESSED,
    /** Files with a compressed copy beside them, and other responses. The server itself compresses these other responses. */
    ON
}
