package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.Wire;
import java.nio.ByteBuffer;

/** A slow client that sends half of a request head, and then nothing more. Thread: the thread of the {@code ClientLoop}. */
final class HalfHeadMember extends Member {
    private final Kind.HalfHead kind;

    HalfHeadMember(Crowd crowd, CrowdPlan.Group group, Kind.HalfHead kind) {
        super(crowd, group);
        this.kind = kind;
    }

    @Override
    public void onOpen(Wire wire) {
        wire.send(kind.target().halfHead());
        stand();
    }

    /** Ignores the response that a server sends before it closes the connection after a timeout. */
    @Override
    public void onBytes(Wire wire, ByteBuffer bytes) {
        bytes.position(bytes.limit());
    }
}
