package io.penstock.experiments.io.appends;

import java.io.IOException;
import java.util.List;

/**
 * The result of a process that has appended records, and the number of records that were in the file after its end.
 *
 * @param accepted the number of records that the process has appended
 * @param nanos the time from the opening of the file to its close, in nanoseconds
 * @param threads the maximum number of threads at the same time, without the threads of the JVM itself
 * @param present the number of records in the file after the process had ended
 */
record AppendOutcome(long accepted, long nanos, int threads, long present) {
    static final String MARK = "APPENDED";

    /**
     * Reads the output of the process.
     *
     * @throws IOException if the process has not printed a result; the message has the first line of its output that names an error
     */
    static AppendOutcome parse(List<String> printed) throws IOException {
        for (String line : printed) {
            String[] words = line.split(" ");
            if (words.length == 4 && words[0].equals(MARK)) {
                return new AppendOutcome(
                        Long.parseLong(words[1]), Long.parseLong(words[2]), Integer.parseInt(words[3]), 0);
            }
        }
        String last = printed.stream()
                .filter(line -> line.contains("Exception") || line.contains("Error"))
                .findFirst()
                .orElse("it printed no reason");
        throw new IOException("the appending process failed: " + last);
    }

    AppendOutcome found(long records) {
        return new AppendOutcome(accepted, nanos, threads, records);
    }

    double perSecond() {
        return accepted * 1e9 / nanos;
    }

    long lost() {
        return accepted - present;
    }
}
