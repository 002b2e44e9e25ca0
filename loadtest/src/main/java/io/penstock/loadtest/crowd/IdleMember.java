package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.ResponseReader;
import io.penstock.loadtest.client.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A slow client that sends one request, receives the response, and keeps its connection open. Thread: the thread of the {@code ClientLoop}.
 */
final class IdleMember extends Member {
    private final Kind.Idle kind;
    private final ResponseReader response = new ResponseReader();

    IdleMember(Crowd crowd, CrowdPlan.Group group, Kind.Idle kind) {
        super(crowd, group);
        this.kind = kind;
    }

    @Override
    public void onOpen(Wire wire) {
        wire.send(kind.target().get());
    }

    @Override
    public void onBytes(Wire wire, ByteBuffer bytes) throws IOException {
        if (!response.read(bytes)) {
            return;
        }
        if (response.isPersistent()) {
            stand();
        } else {
            leave(wire);
        }
    }
}
