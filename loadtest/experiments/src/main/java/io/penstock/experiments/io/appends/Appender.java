package io.penstock.experiments.io.appends;

import java.io.IOException;

/** Appends records to a file. Thread: one appends and closes. */
interface Appender {
    /** Accepts the record with the next number. */
    void append() throws IOException;

    /** The number of accepted records. */
    long accepted();

    /** Closes when all accepted records have been written, and the system reports that its disk has them. */
    void closeAndWait() throws IOException, InterruptedException;

    /** Closes the file without waiting, like a program that does not know that writes are queued. */
    void closePlainly() throws IOException;
}
