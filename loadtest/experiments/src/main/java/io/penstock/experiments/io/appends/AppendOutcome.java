package io.penstock.experiments.io.appends;

import java.io.IOException;
import java.util.List;

/**
 * The report of a process that has appended records, and the records that the file then contained.
 *
 * @param accepted records accepted
 * @param nanos from the opening of the file to its close
 * @param threads most threads at a time beyond those of the JVM
 * @param present records found in the file after the process had ended
 */
record AppendOutcome(long accepted, long nanos, int threads, long present) {
    static final String MARK = "APPENDED";

    /**
     * Reads what a process printed.
     *
     * @throws IOException with the process's own last output if it did not end properly
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
