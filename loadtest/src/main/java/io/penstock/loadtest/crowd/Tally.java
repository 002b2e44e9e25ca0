package io.penstock.loadtest.crowd;

/**
 * The state of a crowd of slow clients, with counts of the events so far.
 *
 * @param size the number of clients in the plan
 * @param standing the present number of connected clients. Each stream of HTTP/2 is a client. Most clients count as connected when they have sent their first bytes. Idle
 *     clients count when they have received their response. Clients that send their whole first handshake message count when the server has
 *     answered
 * @param beingAnswered the number of connected slow readers whose response has begun to arrive
 * @param readers the number of slow readers in the plan
 * @param burstsSent the number of uploads whose burst was sent; a burst is the bytes that an upload sends at once, before it becomes slow
 * @param fewestStanding the lowest number of connected clients since the wait for the connections ended
 * @param sentAway the number of times that the connection of a connected client ended; the client connected again after that
 * @param answered the number of requests of slow uploads and readers that were answered with a status below 400
 * @param refused the number of requests of slow uploads and readers that were answered with a status of 400 or higher
 * @param lastTrouble the reason for the failure of the last failed connection; empty if no connection has failed
 */
public record Tally(
        int size,
        int standing,
        int beingAnswered,
        int readers,
        int burstsSent,
        int fewestStanding,
        int sentAway,
        int answered,
        int refused,
        String lastTrouble) {

    public boolean isComplete() {
        return standing == size;
    }

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
