package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Conversation;
import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.client.Wire;

/**
 * One slow client of a crowd.
 *
 * <pre>
 *   COMING ──> STANDING ──> BEING_ANSWERED      from each: GONE
 *                  ^──────────────┘             (only readers have the state BEING_ANSWERED)
 * </pre>
 *
 * Thread: the loop.
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

    /** Starts to make its connection. */
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

    /** The server has taken the bytes that the client sends at once, before it becomes slow. */
    boolean hasSentBurst() {
        return false;
    }

    /** From now on the client is slow. */
    final void stand() {
        if (state == State.COMING) {
            state = State.STANDING;
            crowd.onStanding();
        } else if (state == State.BEING_ANSWERED) {
            state = State.STANDING;
            crowd.onAnswerOver();
        }
    }

    /** The first bytes of a response have come. The client reads the response slowly. */
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

    /** The server has answered and wants no more requests on this connection. */
    final void leave(Wire wire) {
        wire.close();
        onEnd(wire, new CallException(Failure.CLOSED_EARLY, "The server answered and closed the connection"));
    }
}
