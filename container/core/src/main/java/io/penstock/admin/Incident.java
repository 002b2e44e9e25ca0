package io.penstock.admin;

import java.time.Instant;

/**
 * A problem of one or more clients. If many clients in succession have the same problem, it is one incident.
 *
 * @param number the number of the incident; the first incident has number 1
 * @param status the status of the responses; 0 if there were none
 * @param application the path of the application that failed; empty if the request did not fail in an application
 * @param words a description of the problem
 * @param times how often the problem has occurred so far
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
