package io.penstock.loadtest.crowd;

/**
 * What became of a crowd so far.
 *
 * @param size how many were meant to stand
 * @param standing how many stand now: they have sent what makes them wait (an idle one: has had its answer)
 * @param beingAnswered those readers among them to whom a response has begun to come
 * @param readers how many of the crowd were meant to read
 * @param burstsSent those uploads whose first bytes, sent at once, have been taken from them
 * @param bursts how many of the crowd were meant to send such
 * @param fewestStanding the fewest since all stood for the first time, or since no more were waited for
 * @param sentAway how often one that stood was sent away by the server, and came back
 * @param answered requests of the crowd that were answered with a status below 400
 * @param refused requests of the crowd that were answered with another status
 * @param lastTrouble why a connection failed last; empty if none has
 */
public record Tally(
        int size,
        int standing,
        int beingAnswered,
        int readers,
        int burstsSent,
        int bursts,
        int fewestStanding,
        int sentAway,
        int answered,
        int refused,
        String lastTrouble) {

    /** Whether all who were meant to stand do. */
    public boolean isComplete() {
        return standing == size;
    }

    /** How they stand, in a line. */
    public String describe() {
        StringBuilder text = new StringBuilder();
        text.append(standing).append(" of ").append(size).append(" stand");
        if (readers > 0) {
            text.append(" (").append(beingAnswered).append(" of ").append(readers);
            text.append(" readers are being answered, the others have only sent their request)");
        }
        text.append(", never fewer than ").append(fewestStanding);
        text.append("; ").append(sentAway).append(" sent away and back");
        text.append("; answered ").append(answered).append(", refused ").append(refused);
        return text.toString();
    }
}
