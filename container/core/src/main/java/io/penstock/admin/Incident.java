package io.penstock.admin;

import java.time.Instant;

/**
 * Something that went wrong for clients, perhaps for many of them one after the other.
 *
 * @param number which of all incidents, from 1
 * @param status that they were answered; 0 if they were not
 * @param words what happened to each
 * @param times how many there were until now
 */
record Incident(long number, Instant first, Instant last, int status, String words, long times) {

    Incident and(long more, Instant now) {
        return new Incident(number, first, now, status, words, times + more);
    }
}
