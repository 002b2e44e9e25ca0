package io.penstock.http2;

import io.penstock.exchange.Protocol;
import io.penstock.http.Version;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import io.penstock.reactor.LinkLayer;
import io.penstock.reactor.PreludeLink;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Lets clients without TLS speak HTTP/2 if they know beforehand that the server does (h2c, RFC 9113 section 3.3). A connection that begins
 * with the preface of HTTP/2 gets this protocol. All others get HTTP/1.1: no request of HTTP/1.1 begins so.
 *
 * <p>Thread: the reactors.
 */
public final class PriorKnowledge implements LinkLayer {

    @Override
    public LinkHandler open(Link socket, Opening opening) {
        return new Sniffer(socket, opening);
    }

    /** Reads the first bytes, and passes them on to the protocol. */
    private static final class Sniffer extends PreludeLink {
        private final Opening opening;
        private final byte[] arrived = new byte[Frame.PREFACE.length];
        private int count;

        Sniffer(Link socket, Opening opening) {
            super(socket, opening);
            this.opening = opening;
        }

        @Override
        protected boolean isInside() {
            return count > 0;
        }

        @Override
        protected String name() {
            return "first request";
        }

        @Override
        protected void prelude(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining() && count < arrived.length) {
                byte next = bytes.get();
                arrived[count++] = next;
                if (next != Frame.PREFACE[count - 1]) {
                    begin(Protocol.HTTP_1_1, bytes);
                    return;
                }
            }
            if (count == arrived.length) {
                begin(Version.HTTP_2.alpn(), bytes);
            }
        }

        private void begin(String protocol, ByteBuffer behind) throws IOException {
            ByteBuffer all = ByteBuffer.allocate(count + behind.remaining())
                    .put(arrived, 0, count)
                    .put(behind)
                    .flip();
            begin(all, () -> opening.agreed(this, protocol));
        }
    }
}
