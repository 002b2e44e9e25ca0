package io.penstock.loadtest.compare.users;

/**
 * One run of one server.
 *
 * @param server its name on the command line
 * @param users that were to hold a connection
 * @param asked the content that they requested
 * @param round counted from 1
 * @param answersPerSecond answers with a status of 2xx
 * @param p50Micros latency from the sending of a request to the end of its answer, or to the end of the run if no answer came by
 *     then. This and the other percentiles are NaN if there was no answer
 * @param connectErrorsPerMinute attempts that led to no connection within a second. The time counts from the first user's start,
 *     or from the end of the previous content, to the end of this content
 * @param troubles other statuses, and connections that failed during a request
 * @param usersWithoutAnswer users that had no answer in the run
 * @param cpuMicrosPerAnswer the server's processor time; NaN if there was no answer
 * @param threads number of the server's threads at the end
 * @param residentBytes resident memory of the server at the end
 * @param heapBytes after a full collection, with the connections open; NaN if the server has not reported it
 * @param firstTrouble why the first failed attempt led to no connection, in words; empty if none failed
 */
record Run(
        String server,
        int users,
        Asked asked,
        int round,
        double answersPerSecond,
        double p50Micros,
        double p99Micros,
        double p999Micros,
        double connectErrorsPerMinute,
        long troubles,
        int usersWithoutAnswer,
        double cpuMicrosPerAnswer,
        int threads,
        long residentBytes,
        double heapBytes,
        String firstTrouble) {

    Run withConnectErrors(double perMinute) {
        return new Run(
                server,
                users,
                asked,
                round,
                answersPerSecond,
                p50Micros,
                p99Micros,
                p999Micros,
                perMinute,
                troubles,
                usersWithoutAnswer,
                cpuMicrosPerAnswer,
                threads,
                residentBytes,
                heapBytes,
                firstTrouble);
    }

    Run withHeap(double bytes) {
        return new Run(
                server,
                users,
                asked,
                round,
                answersPerSecond,
                p50Micros,
                p99Micros,
                p999Micros,
                connectErrorsPerMinute,
                troubles,
                usersWithoutAnswer,
                cpuMicrosPerAnswer,
                threads,
                residentBytes,
                bytes,
                firstTrouble);
    }
}
