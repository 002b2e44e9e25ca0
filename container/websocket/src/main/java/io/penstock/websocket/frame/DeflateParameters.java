package io.penstock.websocket.frame;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The negotiated parameters of {@code permessage-deflate} (RFC 7692 section 7.1). Windows have 15 bits, because {@link
 * java.util.zip.Deflater} has no others.
 *
 * @param keepsOwn whether the messages of this side are compressed with the context of earlier ones
 * @param keepsPeers whether the messages of the peer are
 */
public record DeflateParameters(boolean keepsOwn, boolean keepsPeers) {
    /** The name of the extension. */
    public static final String NAME = "permessage-deflate";

    /** The value of {@code Sec-WebSocket-Extensions} by which a client offers the extension. */
    public static String offer() {
        throw new UnsupportedOperationException();
    }

    /**
     * The first acceptable offer of a client.
     *
     * @param extensions the values of the fields {@code Sec-WebSocket-Extensions} of the handshake
     * @return null if none is acceptable
     */
    public static @Nullable DeflateParameters accept(List<String> extensions) {
        throw new UnsupportedOperationException();
    }

    /**
     * What a client's peer has answered to {@link #offer}.
     *
     * @return null if the peer has not accepted it
     * @throws IllegalArgumentException if the answer is none to the offer; the client must fail the connection
     */
    public static @Nullable DeflateParameters accepted(List<String> extensions) {
        throw new UnsupportedOperationException();
    }

    /** The value of {@code Sec-WebSocket-Extensions} by which a server accepts. */
    public String answer() {
        throw new UnsupportedOperationException();
    }
}
