package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.ResponseReader;
import io.penstock.loadtest.client.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Sends a request, then reads a few bytes after each pause. With TLS it reads the first record at once, since nothing of a record
 * can be used before all of it has come. Thread: the loop.
 */
final class ReaderMember extends Member {
    /** Room for a whole record, and for the few bytes of TLS messages before it. */
    private static final int FIRST_RECORD = 20 << 10;

    private enum Pace {
        FIRST_RECORD,
        SLOW
    }

    private final Kind.Reader kind;
    private final ResponseReader response = new ResponseReader();
    private Pace pace = Pace.SLOW;

    ReaderMember(Crowd crowd, CrowdPlan.Group group, Kind.Reader kind) {
        super(crowd, group);
        this.kind = kind;
    }

    @Override
    public void onOpen(Wire wire) {
        wire.send(kind.target().get());
        pace = wire.isEncrypted() ? Pace.FIRST_RECORD : Pace.SLOW;
        wire.readAtMost(pace == Pace.SLOW ? kind.bytes() : FIRST_RECORD);
        stand();
        crowd().loop().after(kind.pauseMillis(), () -> readOn(wire));
    }

    @Override
    public void onBytes(Wire wire, ByteBuffer bytes) throws IOException {
        beAnswered();
        pace = Pace.SLOW;
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
            if (pace == Pace.SLOW) {
                wire.readAtMost(kind.bytes());
            }
            crowd().loop().after(kind.pauseMillis(), () -> readOn(wire));
        }
    }
}
