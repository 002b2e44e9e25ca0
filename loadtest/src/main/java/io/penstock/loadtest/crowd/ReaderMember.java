package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.ResponseReader;
import io.penstock.loadtest.client.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Sends a request, then reads a few bytes after each pause. Thread: the loop. */
final class ReaderMember extends Member {
    private final Kind.Reader kind;
    private final ResponseReader response = new ResponseReader();

    ReaderMember(Crowd crowd, CrowdPlan.Group group, Kind.Reader kind) {
        super(crowd, group);
        this.kind = kind;
    }

    @Override
    public void onOpen(Wire wire) {
        wire.send(kind.target().get());
        wire.readAtMost(kind.bytes());
        stand();
        crowd().loop().after(kind.pauseMillis(), () -> readOn(wire));
    }

    @Override
    public void onBytes(Wire wire, ByteBuffer bytes) throws IOException {
        beAnswered();
        if (!response.read(bytes)) {
            return;
        }
        crowd().onAnswer(response.status());
        if (response.isPersistent() && response.status() < 400) {
            response.reset();
            stand();
            wire.send(kind.target().get());
        } else {
            leave(wire);
        }
    }

    private void readOn(Wire wire) {
        if (!wire.isClosed()) {
            wire.readAtMost(kind.bytes());
            crowd().loop().after(kind.pauseMillis(), () -> readOn(wire));
        }
    }
}
