package io.penstock.exchange;

/**
 * The state of a {@link Response}. It has two sides: what the client gets, and what becomes of the bytes that the application writes. In the
 * table, the client's side goes from top to bottom, and the application's side from left to right:
 *
 * <pre>
 *                    bytes are accepted     bytes are ignored     bytes are refused
 *   no head          OPEN                   SUSPENDED, FULL
 *   head is held     HELD                   HELD_FULL             HELD_CLOSED
 *   head is sent     STREAMING              STREAMING_FULL        STREAMING_CLOSED
 *   end is decided                          ENDING_FULL           ENDING
 *   end is sent                             ENDED_FULL            ENDED
 *   incomplete                                                    ABORTING, ABORTED
 *   by the server                                                 REPLACED
 * </pre>
 *
 * <p>A phase moves down, or to the right. These are the other moves: before there is a head, {@code sendError} suspends a response, and a
 * reset opens it again. At the end of the exchange {@code ENDED_FULL} becomes {@code ENDED}. Until the end is decided, any phase may become
 * {@code ABORTING}; until then, and as long as no byte has been sent, the server may replace the response.
 */
public enum ResponsePhase {
    /** No head yet. Written bytes are accepted, and are held. */
    OPEN(Client.NO_HEAD, Written.ACCEPTED),
    /** No head yet. {@code sendError} was called: bytes are ignored until the error page is written. */
    SUSPENDED(Client.NO_HEAD, Written.IGNORED),
    /** No head yet. The body is complete and is held; it is sent at a flush, a close or the end of the exchange. */
    FULL(Client.NO_HEAD, Written.IGNORED),
    /** The response is committed: it has its head, which goes into the pipe before the first bytes. */
    HELD(Client.HEAD_HELD, Written.ACCEPTED),
    /** As {@code HELD}, but the body is complete. */
    HELD_FULL(Client.HEAD_HELD, Written.IGNORED),
    /** As {@code HELD}, but the application has closed the body. */
    HELD_CLOSED(Client.HEAD_HELD, Written.REFUSED),
    /** The head is in the pipe, or before the first bytes of the body. */
    STREAMING(Client.HEAD_SENT, Written.ACCEPTED),
    /** As {@code STREAMING}, but the body is complete. */
    STREAMING_FULL(Client.HEAD_SENT, Written.IGNORED),
    /** As {@code STREAMING}, but the application has closed the body. */
    STREAMING_CLOSED(Client.HEAD_SENT, Written.REFUSED),
    /** The end is decided. Not all bytes have been handed over. */
    ENDING(Client.END_DECIDED, Written.REFUSED),
    /** As {@code ENDING}. The body was complete before the application has closed it. */
    ENDING_FULL(Client.END_DECIDED, Written.IGNORED),
    /** All bytes are in the pipe, or have been sent. */
    ENDED(Client.END_SENT, Written.REFUSED),
    /** As {@code ENDED}, before the end of the exchange. The body was complete before the application has closed it. */
    ENDED_FULL(Client.END_SENT, Written.IGNORED),
    /** The response is incomplete, and the pipe does not refuse bytes yet. */
    ABORTING(Client.INCOMPLETE, Written.REFUSED),
    ABORTED(Client.INCOMPLETE, Written.REFUSED),
    /** The server has replaced the application's response. */
    REPLACED(Client.OF_SERVER, Written.REFUSED);

    /** What the client gets. */
    enum Client {
        NO_HEAD,
        HEAD_HELD,
        HEAD_SENT,
        END_DECIDED,
        END_SENT,
        INCOMPLETE,
        OF_SERVER
    }

    /** What becomes of the bytes that the application writes. */
    enum Written {
        ACCEPTED,
        IGNORED,
        REFUSED
    }

    final Client client;
    final Written written;

    /** Whether the end of the response is decided. */
    final boolean decided;

    /** Whether the whole response has been handed over, or will be: its own bytes, or those of its replacement. */
    final boolean whole;

    /** Whether the response has ended otherwise than its application wanted. */
    final boolean cut;

    ResponsePhase(Client client, Written written) {
        this.client = client;
        this.written = written;
        this.decided = client.compareTo(Client.END_DECIDED) >= 0;
        this.whole = decided && client != Client.INCOMPLETE;
        this.cut = client.compareTo(Client.INCOMPLETE) >= 0;
    }

    /** The next phase to the right: the body is complete. */
    ResponsePhase full() {
        return switch (this) {
            case OPEN -> FULL;
            case HELD -> HELD_FULL;
            case STREAMING -> STREAMING_FULL;
            default -> this;
        };
    }

    /** The last phase to the right: the application has closed the body. A complete body stays complete. */
    ResponsePhase closed() {
        return switch (this) {
            case HELD -> HELD_CLOSED;
            case STREAMING -> STREAMING_CLOSED;
            default -> this;
        };
    }

    /**
     * The next phase below.
     *
     * @throws IllegalStateException if there is none
     */
    ResponsePhase down() {
        return switch (this) {
            case OPEN, SUSPENDED -> HELD;
            case FULL -> HELD_FULL;
            case HELD -> STREAMING;
            case HELD_FULL -> STREAMING_FULL;
            case HELD_CLOSED -> STREAMING_CLOSED;
            case STREAMING, STREAMING_CLOSED -> ENDING;
            case STREAMING_FULL -> ENDING_FULL;
            case ENDING -> ENDED;
            case ENDING_FULL -> ENDED_FULL;
            case ENDED, ENDED_FULL, ABORTING, ABORTED, REPLACED ->
                throw new IllegalStateException("A response that is " + this + " cannot go on");
        };
    }

    /** Whether the body is complete, and its end is not decided yet. */
    public boolean isFull() {
        return this == FULL || this == HELD_FULL || this == STREAMING_FULL;
    }

    /** Whether the end of the response is decided. After that, calls of the application have no effect on the response. */
    public boolean isDecided() {
        return decided;
    }

    /** Whether the response is over, so that another thread may put the next response into the pipe. */
    boolean isOver() {
        return decided && client != Client.END_DECIDED && this != ABORTING;
    }
}
