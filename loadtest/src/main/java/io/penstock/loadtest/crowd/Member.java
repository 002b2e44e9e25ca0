package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Conversation;
import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.client.Wire;

/**
 * One slow client of a {@link Crowd}. In the state COMING the client is connecting; in the state STANDING it counts as connected.
 *
 * <pre>
 *   COMING ──> STANDING ──> BEING_ANSWERED      from each: GONE
 *                  ^──────────────┘             (only readers have the state BEING_ANSWERED)
 * </pre>
 *
 * Thread: the thread of the {@link ClientLoop}.
 */
abstract sealed class Member implements Conversation
        permits IdleMember, HalfHeadMember, HalfHandshakeMember, UploadMember, ReaderMember {
    private enum State {
        COMING,
        STANDING,
        BEING_ANSWERED,
        GONE
    }

    private final Crowd crowd;
    private final CrowdPlan.Group group;
    private State state = State.COMING;

    Member(Crowd crowd, CrowdPlan.Group group) {
        this.crowd = crowd;
        this.group = group;
    }

    static Member of(CrowdPlan.Group group, Crowd crowd) {
        Kind kind = group.kind();
        if (kind instanceof Kind.Idle idle) {
            return new IdleMember(crowd, group, idle);
        }
        if (kind instanceof Kind.HalfHead halfHead) {
            return new HalfHeadMember(crowd, group, halfHead);
        }
        if (kind instanceof Kind.HalfHandshake halfHandshake) {
            return new HalfHandshakeMember(crowd, group, halfHandshake);
        }
        if (kind instanceof Kind.Upload upload) {
            return new UploadMember(crowd, group, upload);
        }
        if (kind instanceof Kind.Reader reader) {
            return new ReaderMember(crowd, group, reader);
        }
        throw new IllegalArgumentException("No slow client is of this kind: " + kind);
    }

    /** Starts to make the connection of this client. */
    Wire open(ClientLoop loop) throws CallException {
        return loop.open(group.kind().target().address(), this);
    }

    final Crowd crowd() {
        return crowd;
    }

    final CrowdPlan.Group group() {
        return group;
    }

    final boolean isStanding() {
        return state == State.STANDING || state == State.BEING_ANSWERED;
    }

    final boolean isBeingAnswered() {
        return state == State.BEING_ANSWERED;
    }

    /** Whether the client has sent its burst. A burst is the bytes that a client sends at once, before it becomes slow. */
    boolean hasSentBurst() {
        return false;
    }

    /** Counts the client as connected. From now on the client is slow. */
    final void stand() {
        if (state == State.COMING) {
            state = State.STANDING;
            crowd.onStanding();
        } else if (state == State.BEING_ANSWERED) {
            state = State.STANDING;
            crowd.onAnswerOver();
        }
    }

    /** Records that the first bytes of a response have arrived. The client reads the response slowly. */
    final void beAnswered() {
        if (state == State.STANDING) {
            state = State.BEING_ANSWERED;
            crowd.onAnswerBegun();
        }
    }

    @Override
    public final void onEnd(Wire wire, CallException cause) {
        crowd.onGone(this, wire, cause);
        state = State.GONE;
    }

    /** Closes the connection after a response, since the server accepts no more requests on this connection. */
    final void leave(Wire wire) {
        wire.close();
        onEnd(wire, new CallException(Failure.CLOSED_EARLY, "The server answered and closed the connection"));
    }
}
