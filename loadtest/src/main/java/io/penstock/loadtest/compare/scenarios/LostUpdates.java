package io.penstock.loadtest.compare.scenarios;

import java.util.Map;

/**
 * Lost changes of one session: they were answered with 200, but the session does not have them afterwards.
 *
 * @param told changes that were answered 200
 * @param failed changes with another answer or none
 * @param own lost changes of attributes that only one client changes: the changes after the value in the session, up to the
 *     last confirmed change
 * @param counter lost changes of a counter that is set again under a lock
 * @param inPlace lost changes of a counter that is changed without being set again
 */
record LostUpdates(long told, long failed, long own, long counter, long inPlace) {

    /**
     * @param lastTold the last value that was confirmed to each client, by the client's number
     * @param told changes of all clients
     * @param found the attributes in the end
     */
    static LostUpdates of(Map<Integer, Integer> lastTold, long told, long failed, Map<String, Long> found) {
        long own = 0;
        for (Map.Entry<Integer, Integer> client : lastTold.entrySet()) {
            own += missing(client.getValue(), found, "client-" + client.getKey());
        }
        return new LostUpdates(told, failed, own, missing(told, found, "counter"), missing(told, found, "in-place"));
    }

    /** If a change was made but its response did not arrive, the value is higher than expected. That is not a loss. */
    private static long missing(long told, Map<String, Long> found, String name) {
        return Math.max(0, told - found.getOrDefault(name, 0L));
    }
}
