package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.ResponseReader;
import io.penstock.loadtest.client.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A slow client that sends a request, and then reads a few bytes after each pause. With TLS it reads the first record without pauses, since
 * a record can be decrypted only when it is complete. Thread: the thread of the {@code ClientLoop}.
 */
final class ReaderMember extends Member {
    /** The maximum size of the first record, plus a few bytes for messages of TLS before this record. */
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
