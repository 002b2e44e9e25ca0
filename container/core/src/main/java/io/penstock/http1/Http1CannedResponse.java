package io.penstock.http1;

import io.penstock.exchange.CannedResponse;
import io.penstock.reactor.ConnectionClosed;
import org.jspecify.annotations.Nullable;

/**
 * A canned response of an HTTP/1.1 connection ({@link HeadWriter} writes it).
 *
 * @param closing why the connection ends with the response; null if the connection stays open
 */
record Http1CannedResponse(
        CannedResponse response, @Nullable ConnectionClosed closing) implements ResponseSlot.Parkable {

    @Override
    public void discard() {
        response.discard();
    }
}
