package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.Wire;
import java.nio.ByteBuffer;

/** Sends half a head and nothing more. Thread: the loop. */
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

    /** The server has reached its timeout and answers; then it closes. */
    @Override
    public void onBytes(Wire wire, ByteBuffer bytes) {
        bytes.position(bytes.limit());
    }
}
