package io.penstock.admin;

import java.time.Instant;

/**
 * A problem of clients; many clients with the same problem in succession are one incident.
 *
 * @param number of the incident, from 1
 * @param status of the responses; 0 if there were none
 * @param application the path of the application that failed; empty if the server refused the request, or it was lost
 * @param words describes the problem of each
 * @param times how often it has happened so far
 */
record Incident(long number, Instant first, Instant last, int status, String application, String words, long times) {

    /** Whether an application failed. */
    boolean isOfApplication() {
        return !application.isEmpty();
    }

    Incident and(long more, Instant now) {
        return new Incident(number, first, now, status, application, words, times + more);
    }
}
