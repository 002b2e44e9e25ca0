package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Wire;
import java.nio.ByteBuffer;

/** Begins a handshake and sends nothing more. Thread: the loop. */
final class HalfHandshakeMember extends Member {
    private final Kind.HalfHandshake kind;

    HalfHandshakeMember(Crowd crowd, CrowdPlan.Group group, Kind.HalfHandshake kind) {
        super(crowd, group);
        this.kind = kind;
    }

    /** Opens the connection without the loop's TLS, since the client sends bytes of TLS itself. */
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

    /** The server's part of the handshake, or the alert with which it ends this connection. */
    @Override
    public void onBytes(Wire wire, ByteBuffer bytes) {
        bytes.position(bytes.limit());
        stand();
    }
}
