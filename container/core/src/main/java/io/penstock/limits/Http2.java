package io.penstock.limits;

/**
 * Where the server speaks HTTP/2, and its bounds (RFC 9113).
 *
 * @param overTls whether TLS listeners offer it to their clients (ALPN)
 * @param priorKnowledge whether listeners without TLS accept it from clients that begin with it (h2c)
 * @param maxStreams the most streams of a connection at one time
 */
public record Http2(Switch overTls, Switch priorKnowledge, int maxStreams) {

    public Http2 {
        Check.atLeast(Key.MAX_STREAMS, maxStreams, 1);
    }

    static Http2 of(Configuration given) {
        return new Http2(
                Check.choice(Key.HTTP2, given.text(Key.HTTP2), Switch.class),
                Check.choice(Key.H2C, given.text(Key.H2C), Switch.class),
                given.number(Key.MAX_STREAMS));
    }
}
