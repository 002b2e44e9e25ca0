package io.penstock.loadtest.compare.users;

/**
 * The results of one run of one server with one content.
 *
 * @param server the name of the server on the command line
 * @param users the number of users; each needs a connection
 * @param asked the content that the users requested
 * @param round the number of the round, counted from 1
 * @param answersPerSecond the number of responses with a status of 2xx, per second
 * @param p50Micros the median of the latency, in microseconds. The latency is counted from the sending of a request to the end of its
 *     response, or to the end of the run if there was no response. All percentiles are NaN if no request was answered
 * @param connectErrorsPerMinute the number of connection attempts that failed or took more than a second, per minute. For the first
 *     content, the attempts are counted from the start of the first user; for each other content, from the end of the previous content
 * @param troubles the number of responses with a status other than 2xx, plus the number of connections that failed during a request
 * @param usersWithoutAnswer the number of users without a response in the run
 * @param cpuMicrosPerAnswer the server's processor time for each response, in microseconds; NaN if there was no response
 * @param threads the number of the server's threads at the end of the run
 * @param residentBytes the resident memory of the server at the end of the run, in bytes
 * @param heapBytes the heap use after a full garbage collection while the connections are open, in bytes; NaN if the server has not
 *     reported it
 * @param firstTrouble the reason for the failure of the first failed connection attempt; empty if no attempt has failed
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
