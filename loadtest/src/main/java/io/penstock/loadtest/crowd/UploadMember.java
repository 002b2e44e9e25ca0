package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.ResponseReader;
import io.penstock.loadtest.client.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A slow client that sends request bodies in small pieces of a few bytes (drops). First the client sends the head, a burst of bytes if
 * there is one, and one drop. After that it sends one drop after each pause. Thread: the thread of the {@code ClientLoop}.
 */
final class UploadMember extends Member {
    private static final ByteBuffer SPACES = spaces();

    /** The state of the burst. A burst is the bytes that the client sends at once, before it becomes slow. */
    private enum Burst {
        NONE,
        LEAVING,
        SENT
    }

    private final Kind.Upload kind;
    private final ResponseReader response = new ResponseReader();
    private Burst burst;
    private int unsent;

    UploadMember(Crowd crowd, CrowdPlan.Group group, Kind.Upload kind) {
        super(crowd, group);
        this.kind = kind;
        this.burst = kind.first() == 0 ? Burst.NONE : Burst.LEAVING;
    }

    @Override
    public void onOpen(Wire wire) {
        startBody(wire);
        stand();
    }

    @Override
    public void onSent(Wire wire) {
        if (burst == Burst.LEAVING) {
            burst = Burst.SENT;
            crowd().onBurstSent();
        }
    }

    @Override
    boolean hasSentBurst() {
        return burst == Burst.SENT;
    }

    @Override
    public void onBytes(Wire wire, ByteBuffer bytes) throws IOException {
        if (!response.read(bytes)) {
            return;
        }
        crowd().onAnswer(response.status());
        if (unsent == 0 && response.isPersistent()) {
            startBody(wire);
        } else {
            leave(wire);
        }
    }

    private void startBody(Wire wire) {
        response.reset();
        unsent = kind.length();
        wire.send(kind.target().headOfPost(kind.length()));
        send(wire, kind.first());
        drop(wire);
    }

    private void drop(Wire wire) {
        if (wire.isClosed()) {
            return;
        }
        send(wire, kind.drop());
        if (unsent > 0) {
            crowd().loop().after(kind.pauseMillis(), () -> drop(wire));
        }
    }

    private static ByteBuffer spaces() {
        byte[] spaces = new byte[16 << 10];
        Arrays.fill(spaces, (byte) ' ');
        return ByteBuffer.allocateDirect(spaces.length).put(spaces).flip().asReadOnlyBuffer();
    }

    /**
     * Sends spaces, at most the given number. An application that parses JSON, XML or the parts of a form reads on after spaces, while it
     * would refuse most other bytes at once. All clients share one buffer, so the bodies of a {@link Crowd} need no memory.
     */
    private void send(Wire wire, int most) {
        for (int left = Math.min(most, unsent); left > 0; left -= SPACES.capacity()) {
            int length = Math.min(left, SPACES.capacity());
            wire.send(SPACES.duplicate().limit(length));
            unsent -= length;
        }
    }
}
