package io.penstock.loadtest.slow;

import io.penstock.loadtest.client.Conversation;
import io.penstock.loadtest.client.ResponseReader;
import io.penstock.loadtest.client.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One slow client of a crowd. Thread: the loop. */
abstract sealed class Member implements Conversation {
    private enum State {
        COMING,
        STANDING,
        GONE
    }

    private final Crowd crowd;
    private final Kind kind;
    private State state = State.COMING;

    private Member(Crowd crowd, Kind kind) {
        this.crowd = crowd;
        this.kind = kind;
    }

    static Member of(Kind kind, Crowd crowd) {
        return switch (kind) {
            case IDLE -> new Idle(crowd);
            case HALF_HEAD -> new HalfHead(crowd);
            case DRIPPING -> new Dripping(crowd);
        };
    }

    final Kind kind() {
        return kind;
    }

    final boolean isStanding() {
        return state == State.STANDING;
    }

    /** From now on it is as slow as it is meant to be. */
    final void stand() {
        if (state == State.COMING) {
            state = State.STANDING;
            crowd.onStanding(this);
        }
    }

    @Override
    public final void onEnd(Wire wire, IOException cause) {
        crowd.onGone(this, wire, cause);
        state = State.GONE;
    }

    /** The server has answered and wants no more requests on this connection. */
    final void leave(Wire wire) {
        wire.close();
        onEnd(wire, new IOException("The server answered and closed the connection"));
    }

    private static final class Idle extends Member {
        private final Crowd crowd;
        private final ResponseReader response = new ResponseReader();

        Idle(Crowd crowd) {
            super(crowd, Kind.IDLE);
            this.crowd = crowd;
        }

        @Override
        public void onOpen(Wire wire) {
            wire.send(crowd.plan().target().get());
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

    private static final class HalfHead extends Member {
        private final Crowd crowd;

        HalfHead(Crowd crowd) {
            super(crowd, Kind.HALF_HEAD);
            this.crowd = crowd;
        }

        @Override
        public void onOpen(Wire wire) {
            wire.send(crowd.plan().target().halfHead());
            stand();
        }

        /** The server has lost its patience and says so; then it closes. */
        @Override
        public void onBytes(Wire wire, ByteBuffer bytes) {
            bytes.position(bytes.limit());
        }
    }

    private static final class Dripping extends Member {
        private final Crowd crowd;
        private final CrowdPlan.Drip drip;
        private final ResponseReader response = new ResponseReader();
        private int unsent;

        Dripping(Crowd crowd) {
            super(crowd, Kind.DRIPPING);
            this.crowd = crowd;
            this.drip = crowd.plan().drip();
        }

        @Override
        public void onOpen(Wire wire) {
            startBody(wire);
            stand();
        }

        @Override
        public void onBytes(Wire wire, ByteBuffer bytes) throws IOException {
            if (!response.read(bytes)) {
                return;
            }
            crowd.onBodyAnswered(response.status());
            if (unsent == 0 && response.isPersistent()) {
                startBody(wire);
            } else {
                leave(wire);
            }
        }

        private void startBody(Wire wire) {
            response.reset();
            unsent = drip.length();
            wire.send(drip.target().headOfPost(drip.length()));
            crowd.loop().after(drip.pauseMillis(), () -> drop(wire));
        }

        private void drop(Wire wire) {
            if (wire.isClosed()) {
                return;
            }
            int length = Math.min(drip.drop(), unsent);
            unsent -= length;
            wire.send(ByteBuffer.allocate(length));
            if (unsent > 0) {
                crowd.loop().after(drip.pauseMillis(), () -> drop(wire));
            }
        }
    }
}
