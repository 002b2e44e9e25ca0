package io.penstock.loadtest.compare.scenarios;

import java.util.Map;

/**
 * The changes of one session that clients were told of, and that are not in it afterwards.
 *
 * @param told changes that were answered 200
 * @param failed changes with another answer or none
 * @param own of attributes of which each client has one: the changes behind the last value that the client was told
 * @param counter changes of a counter that is set again under a lock, as far as they are missing
 * @param inPlace the same of one that is changed without being set again
 */
record LostUpdates(long told, long failed, long own, long counter, long inPlace) {

    /**
     * @param lastTold the last value that each client was told, by its number
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

    /** A change that was made and whose answer did not come makes the value higher: that is no loss. */
    private static long missing(long told, Map<String, Long> found, String name) {
        return Math.max(0, told - found.getOrDefault(name, 0L));
    }
}
