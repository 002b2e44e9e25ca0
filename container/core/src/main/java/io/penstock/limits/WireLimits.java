package io.penstock.limits;

/**
 * Bounds on what a client may send, in bytes unless said otherwise. Each violation has a status and closes the connection.
 *
 * @param requestLine longest request line without its CRLF; beyond it 414
 * @param headerBytes all header lines of one head together; beyond it 431
 * @param headerCount most header fields of one head (a number); beyond it 431
 * @param chunkExtensionBytes longest chunk extension of one chunk; beyond it 400
 * @param trailerBytes all trailer lines of one body together; beyond it 431
 * @param bodyBytes largest request body; beyond it 413
 */
public record WireLimits(
        int requestLine, int headerBytes, int headerCount, int chunkExtensionBytes, int trailerBytes, long bodyBytes) {

    public WireLimits {
        Check.atLeast("request-line-limit", requestLine, 64);
        Check.atLeast("header-bytes-limit", headerBytes, 256);
        Check.atLeast("header-count-limit", headerCount, 1);
        Check.atLeast("chunk-extension-limit", chunkExtensionBytes, 0);
        Check.atLeast("trailer-bytes-limit", trailerBytes, 0);
        Check.atLeast("body-limit", bodyBytes, 0);
    }

    public static WireLimits defaults() {
        return new WireLimits(8 * 1024, 32 * 1024, 100, 1024, 8 * 1024, 100L * 1024 * 1024);
    }
}
