package io.penstock.limits;

import java.time.Duration;

/**
 * How long the server waits for a client; each wait has a name of its own, in this record, in the log line and in a counter.
 *
 * @param head from the first byte of a request head, or from accept, to its end; then 408
 * @param bodyStall between two arrivals of body bytes while the server waits for them; then 408
 * @param keepAlive an idle connection between two requests; then closed without a word
 * @param writeStall between two acceptances of response bytes by the client; then closed
 * @param linger how long a refused client that is still sending is read and ignored before the close
 */
public record Timeouts(Duration head, Duration bodyStall, Duration keepAlive, Duration writeStall, Duration linger) {

    public Timeouts {
        Check.positive("head-timeout", head);
        Check.positive("body-stall-timeout", bodyStall);
        Check.positive("keep-alive-timeout", keepAlive);
        Check.positive("write-stall-timeout", writeStall);
        Check.positive("linger-timeout", linger);
    }

    public static Timeouts defaults() {
        return new Timeouts(
                Duration.ofSeconds(20),
                Duration.ofSeconds(30),
                Duration.ofSeconds(60),
                Duration.ofSeconds(30),
                Duration.ofSeconds(5));
    }
}
