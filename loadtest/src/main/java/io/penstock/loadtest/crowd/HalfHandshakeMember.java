package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Wire;
import java.nio.ByteBuffer;

/** A slow client that begins a TLS handshake, and then sends nothing more. Thread: the thread of the {@link ClientLoop}. */
final class HalfHandshakeMember extends Member {
    private final Kind.HalfHandshake kind;

    HalfHandshakeMember(Crowd crowd, CrowdPlan.Group group, Kind.HalfHandshake kind) {
        super(crowd, group);
        this.kind = kind;
    }

    /** Opens the connection without the TLS of the {@link ClientLoop}, since this class sends the bytes of TLS itself. */
    @Override
    Wire open(ClientLoop loop) throws CallException {
        return loop.openPlain(kind.target().address(), this);
    }

    @Override
    public void onOpen(Wire wire) {
        wire.send(kind.hello().duplicate());
        if (!kind.answered()) {
            stand();
        }
    }

    /** Receives the server's messages of the handshake, or the alert with which the server ends the connection. */
    @Override
    public void onBytes(Wire wire, ByteBuffer bytes) {
        bytes.position(bytes.limit());
        stand();
    }
}
