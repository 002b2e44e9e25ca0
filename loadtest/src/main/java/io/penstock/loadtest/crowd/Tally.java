package io.penstock.loadtest.crowd;

/**
 * The state of a crowd, with counts of its events so far.
 *
 * @param size number of clients in the plan
 * @param standing number of connected clients now. A client counts when it has sent the bytes after which it waits. An idle
 *     client counts when it has had its response
 * @param beingAnswered number of connected readers whose response has begun to arrive
 * @param readers number of readers in the plan
 * @param burstsSent number of uploads whose first bytes the server has taken
 * @param bursts number of uploads with such first bytes in the plan
 * @param fewestStanding the lowest number of connected clients since all were connected for the first time, or since the wait
 *     for them ended
 * @param sentAway how often the server closed the connection of a connected client. The client then connected again
 * @param answered requests of the crowd that were answered with a status below 400
 * @param refused requests of the crowd that were answered with another status
 * @param lastTrouble the reason of the last failed connection; empty if none has failed
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

    /** Whether all clients of the plan are connected. */
    public boolean isComplete() {
        return standing == size;
    }

    /** The state in one line. */
    public String describe() {
        StringBuilder text = new StringBuilder();
        text.append(standing).append(" of ").append(size).append(" connected");
        if (readers > 0) {
            text.append(" (").append(beingAnswered).append(" of ").append(readers);
            text.append(" readers are being answered, the others have only sent their request)");
        }
        text.append(", never fewer than ").append(fewestStanding);
        text.append("; ").append(sentAway).append(" disconnected and connected again");
        text.append("; answered ").append(answered).append(", refused ").append(refused);
        return text.toString();
    }
}
