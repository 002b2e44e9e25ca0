package io.penstock.loadtest.slow;

import io.penstock.loadtest.client.Target;

/**
 * Who stands around, and what they do.
 *
 * @param idle clients that keep a connection after an answer
 * @param halfHeads clients that send half a head
 * @param dripping clients that send bodies drop by drop
 * @param target what the first two ask for
 * @param drip how the third kind sends
 */
record CrowdPlan(int idle, int halfHeads, int dripping, Target target, Drip drip) {

    /**
     * A body on its way.
     *
     * @param target where it is posted to
     * @param length of the body, in bytes
     * @param drop bytes sent at a time
     * @param pauseMillis between two drops
     */
    record Drip(Target target, int length, int drop, int pauseMillis) {}

    int of(Kind kind) {
        return switch (kind) {
            case IDLE -> idle;
            case HALF_HEAD -> halfHeads;
            case DRIPPING -> dripping;
        };
    }

    int all() {
        return idle + halfHeads + dripping;
    }

    Target targetOf(Kind kind) {
        return kind == Kind.DRIPPING ? drip.target() : target;
    }
}
