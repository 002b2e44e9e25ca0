package io.penstock.experiments.io.appends;

import java.io.IOException;

/** Appends records to a file. Thread: one appends and closes. */
interface Appender {
    /** Accepts the record of the next number. */
    void append() throws IOException;

    /** How many records have been accepted. */
    long accepted();

    /** Closes when all that was accepted has been written, and the system says that its disk has it. */
    void closeAndWait() throws IOException, InterruptedException;

    /** Closes the file and asks no questions: what a program does that does not know of the queue behind it. */
    void closePlainly() throws IOException;
}
