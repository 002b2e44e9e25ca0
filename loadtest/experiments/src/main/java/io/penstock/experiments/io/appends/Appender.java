package io.penstock.experiments.io.appends;

import java.io.IOException;

/** Appends records to a file. Thread: one thread appends and closes. */
interface Appender {
    /** Accepts the record with the next number. It may be written later. */
    void append() throws IOException;

    /** The number of accepted records. */
    long accepted();

    /** Waits until all accepted records are written and the operating system reports that they are on the disk, and closes the file. */
    void closeAndWait() throws IOException, InterruptedException;

    /** Closes the file without waiting for queued records. */
    void closePlainly() throws IOException;
}
