package io.penstock.loadtest.compare.scenarios;

import java.util.Map;

/**
 * The number of lost changes of one session. A change is lost if its request was answered with status 200 but the session does not contain
 * the change at the end.
 *
 * @param told the number of changes whose requests were answered with status 200
 * @param failed the number of changes whose requests had another response or no response
 * @param own the number of lost changes of attributes that only one client changes; for each attribute, this is the last confirmed value
 *     minus the value in the session
 * @param counter the number of lost changes of a counter that each request changes and stores under a lock
 * @param inPlace the number of lost changes of a counter object that each request changes without storing it in the session again
 */
record LostUpdates(long told, long failed, long own, long counter, long inPlace) {

    /**
     * @param lastTold a map from the number of each client to the last value that was confirmed to this client
     * @param told the number of confirmed changes of all clients
     * @param found the attributes of the session at the end
     */
    static LostUpdates of(Map<Integer, Integer> lastTold, long told, long failed, Map<String, Long> found) {
        long own = 0;
        for (Map.Entry<Integer, Integer> client : lastTold.entrySet()) {
            own += missing(client.getValue(), found, "client-" + client.getKey());
        }
        return new LostUpdates(told, failed, own, missing(told, found, "counter"), missing(told, found, "in-place"));
    }

    /**
     * Returns the number of lost changes. The value in the session can be higher than expected if a change was made but its response did
     * not arrive. In this case no change is lost.
     */
    private static long missing(long told, Map<String, Long> found, String name) {
        return Math.max(0, told - found.getOrDefault(name, 0L));
    }
}
