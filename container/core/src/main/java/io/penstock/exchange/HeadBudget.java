package io.penstock.exchange;

import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.memory.ByteAccount;

/**
 * The memory of all request heads, with all that the server has made of them: the bytes, the texts, and the objects of the request. The
 * memory of a head is reserved from its first bytes to the end of its request. What an upgraded connection keeps of its head stays reserved
 * until the connection ends. In HTTP/2 the heads and trailers of responses that wait for their client count, too, and what else a
 * connection keeps for a client that does not read.
 *
 * <p>A reservation is an int: its number of bytes. It is negative if the reservation belongs to the part for unusual heads. Heads are
 * unusual if they are large ({@link #USUAL}), or if their client has sent requests ahead. They may use only this part of the budget. So
 * clients with unusual heads cannot cause the refusal of usual heads.
 *
 * <p>Thread: any.
 */
public final class HeadBudget {

    /** The most memory of a usual head. The head of a browser takes about half of it, if the request has no body. */
    static final int USUAL = 4096;

    private static final int UNUSUAL_PART = 5; // a fifth

    private final ByteAccount all;
    private final ByteAccount unusual;

    /** @param limit the limit in bytes */
    public HeadBudget(long limit) {
        all = new ByteAccount(limit);
        unusual = new ByteAccount(limit / UNUSUAL_PART);
    }

    /**
     * The reservation of a head that something may still refer to, after its request has been answered without a worker.
     *
     * @param reservation 0 if nothing is reserved
     */
    public record Kept(HeadBudget budget, int reservation) {

        /** Called once, when only {@code observer} can still refer to the head. */
        public void leaveTo(RequestObserver observer) {
            budget.leaveTo(observer, reservation);
        }
    }

    /** Whether a client must not send further requests ahead, since the part for unusual heads is half used. */
    public boolean isTight() {
        return unusual.used() > unusual.limit() / 2;
    }

    /** Whether more than half of the budget is used. */
    public boolean isHalfUsed() {
        return all.used() > all.limit() / 2;
    }

    /**
     * Enlarges a reservation.
     *
     * @param former the reservation; 0 if nothing is reserved yet
     * @param bytes the whole size. If the reservation is larger already, it is not changed
     * @param ahead whether the client has sent the request ahead of others, so that the head is unusual even if it is small
     * @return the new reservation, which replaces {@code former}
     * @throws Violation if the budget is used up; {@code former} stays valid
     */
    public int reserve(int former, int bytes, boolean ahead) throws Violation {
        int more = bytes - Math.abs(former);
        if (more <= 0) {
            return former;
        }
        if (former >= 0 && !ahead && bytes <= USUAL) {
            require(all.tryReserve(more));
            return bytes;
        }
        int moreUnusual = former < 0 ? more : bytes;
        require(unusual.tryReserve(moreUnusual));
        if (!all.tryReserve(more)) {
            unusual.giveBack(moreUnusual);
            throw new Violation(Key.HEAD_BUDGET);
        }
        return -bytes;
    }

    /**
     * Reserves a part of a reservation once more, for what is kept of a head when the rest goes. The caller then gives the reservation back.
     *
     * @param bytes the size of the part. A small part is usual, even if the head was not
     * @return the reservation of the part
     */
    int part(int reservation, int bytes) {
        all.reserve(bytes);
        if (reservation >= 0 || bytes <= USUAL) {
            return bytes;
        }
        unusual.reserve(bytes);
        return -bytes;
    }

    /**
     * Reserves bytes regardless of the limit: for what the server must keep, such as the rest of a frame of which the client has got a part.
     * The caller bounds it for each connection, and gives the bytes back by {@link #giveBack}.
     */
    public void keep(int bytes) {
        all.reserve(bytes);
    }

    private static void require(boolean reserved) throws Violation {
        if (!reserved) {
            throw new Violation(Key.HEAD_BUDGET);
        }
    }

    /** Gives a reservation, or the difference of two reservations of unusual heads, back. */
    public void giveBack(int reservation) {
        if (reservation < 0) {
            unusual.giveBack(-reservation);
        }
        all.giveBack(Math.abs(reservation));
    }

    /** Gives a reservation back when {@code observer} does not refer to the head any more. */
    void leaveTo(RequestObserver observer, int reservation) {
        if (reservation != 0 && !observer.keepsHead(reservation)) {
            giveBack(reservation);
        }
    }

    /** The bytes that are reserved at this moment. */
    public long used() {
        return all.used();
    }

    public long limit() {
        return all.limit();
    }
}
